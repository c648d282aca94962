// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <millrace_plugin.h>

#include "invert.h"

static const mr_host* host;

static mr_result invert(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)instance;
  (void)worker;
  mr_image image = {.struct_size = sizeof image};
  mr_payload* output = NULL;
  const mr_result result = host->image_edit(item, input, &image, &output);
  if (result != MR_OK) return result;
  const size_t bytes = (size_t)image.width * image.channels * image.depth / 8;
  for (uint32_t y = 0; y < image.height; ++y)
    invert_row((uint8_t*)image.writable + y * image.stride, bytes);
  return host->emit(item, output, 0);
}

static const mr_stage stage = {
    .struct_size = sizeof stage,
    .name = "invert_c",
    .summary = "Turn a picture into its negative.",
    .takes = MR_IMAGE,
    .gives = MR_IMAGE,
    .process = invert,
};
static const mr_stage* const stages[] = {&stage};
static const mr_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi_major = MR_ABI_MAJOR,
    .abi_minor = MR_ABI_MINOR,
    .name = "invert_c",
    .version = "1.0",
    .stage_count = 1,
    .stages = stages,
};

const mr_plugin* millrace_plugin_v1(const mr_host* from) {
  host = from;
  return &plugin;
}
