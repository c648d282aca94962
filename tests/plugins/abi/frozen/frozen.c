// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A plugin of version 1.0 of the interface: compiled from the header beside it, which never
// changes, and loaded by every later host. It uses each kind of stage and of payload.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "millrace_plugin.h"

static const mr_host* host;

// frozen_numbers: a source of `count` items, "0", "1", ..., which hold their own names.

static mr_result list_numbers(void* instance, mr_listing* listing) {
  for (int64_t i = 0; i < *(int64_t*)instance; ++i) {
    char name[32];
    snprintf(name, sizeof name, "%d", (int)i);
    const mr_result result = host->list_item(listing, name, NULL);
    if (result != MR_OK) return result;
  }
  return MR_OK;
}

static mr_result open_number(void* instance, void* worker, mr_item* item) {
  (void)instance;
  (void)worker;
  const char* path = host->item_attribute(item, "path");
  void* data = NULL;
  mr_payload* made = NULL;
  const mr_result result = host->bytes_new(item, strlen(path), "txt", &data, &made);
  if (result != MR_OK) return result;
  memcpy(data, path, strlen(path));
  return host->emit(item, made, 0);
}

static mr_result create_count(void* user, const mr_options* options, void** instance) {
  (void)user;
  int64_t* count = calloc(1, sizeof *count);
  *instance = count;
  return host->option_integer(options, "count", count);
}

static void destroy_it(void* instance) { free(instance); }

// frozen_invert: a picture's negative.

static mr_result invert_rows(void* user, size_t first, size_t last) {
  const mr_image* image = user;
  const size_t bytes = (size_t)image->width * image->channels * image->depth / 8;
  for (size_t y = first; y < last; ++y) {
    uint8_t* row = (uint8_t*)image->writable + y * image->stride;
    for (size_t i = 0; i < bytes; ++i) row[i] = (uint8_t)~row[i];
  }
  return MR_OK;
}

static mr_result invert(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)instance;
  (void)worker;
  mr_image image = {.struct_size = sizeof image};
  mr_payload* output = NULL;
  mr_result result = host->image_edit(item, input, &image, &output);
  if (result == MR_OK) result = host->parallel_for(item, 0, image.height, 8, invert_rows, &image);
  if (result == MR_OK) result = host->emit(item, output, 0);
  return result;
}

// frozen_upper: a text in capitals.

static mr_result upper(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)instance;
  (void)worker;
  mr_text text = {.struct_size = sizeof text};
  mr_payload* output = NULL;
  mr_result result = host->text_edit(item, input, &output);
  if (result == MR_OK) result = host->text_view(output, &text);
  for (size_t i = 0; result == MR_OK && i < text.word_count; ++i) {
    mr_word word = {.struct_size = sizeof word};
    result = host->text_word(output, i, &word);
    if (result != MR_OK) break;
    char* copy = host->scratch(item, strlen(word.text) + 1);
    strcpy(copy, word.text);
    for (char* c = copy; *c; ++c) *c = (char)toupper((unsigned char)*c);
    result = host->text_set(output, i, copy);
  }
  return result == MR_OK ? host->emit(item, output, 0) : result;
}

// frozen_copies: `count` pages of the same bytes; a worker counts what it made.

static mr_result create_worker(void* instance, void** worker) {
  (void)instance;
  *worker = calloc(1, sizeof(int));
  return *worker ? MR_OK : MR_FATAL;
}

static void destroy_worker(void* instance, void* worker) {
  (void)instance;
  free(worker);
}

static mr_result copies(void* instance, void* worker, mr_item* item, mr_payload* input) {
  const int64_t count = *(int64_t*)instance;
  if (count == 0) {
    host->set_error("no copies are wanted");
    return MR_SKIP;
  }
  for (int64_t i = 1; i <= count; ++i) {
    host->progress(item, (double)i / (double)count);
    ++*(int*)worker;
    const mr_result result = host->emit(item, host->retain(input), (uint32_t)i);
    if (result != MR_OK) return result;
  }
  return MR_OK;
}

// frozen_text: bytes as text.

static mr_result to_text(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)instance;
  (void)worker;
  mr_bytes bytes = {.struct_size = sizeof bytes};
  mr_text about = {.struct_size = sizeof about};
  mr_payload* output = NULL;
  mr_result result = host->bytes_view(input, &bytes);
  if (result != MR_OK) return result;
  char* plain = host->scratch(item, bytes.size + 1);
  memcpy(plain, bytes.data, bytes.size);
  plain[bytes.size] = 0;
  about.plain = plain;
  about.language = "eng";
  result = host->text_new(item, &about, &output);
  return result == MR_OK ? host->emit(item, output, 0) : result;
}

// frozen_show: a sink that warns of every item, in the sources' order.

static mr_result show(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)worker;
  (void)input;
  const int64_t number = (*(int64_t*)instance)++;
  char text[96];
  snprintf(text, sizeof text, "number %d is %s", (int)number, host->item_attribute(item, "label"));
  host->warn(item, text);
  return MR_OK;
}

#define COUNT                                                                                \
  "{\"type\": \"object\", \"properties\": {\"count\": {\"type\": \"integer\", \"default\": " \
  "3, \"minimum\": 0, \"description\": \"How many.\"}}}"

static const mr_stage numbers = {.struct_size = sizeof numbers,
                                 .name = "frozen_numbers",
                                 .summary = "Count.",
                                 .gives = MR_BYTES,
                                 .mode = MR_PER_WORKER,
                                 .load = MR_LOAD_IO,
                                 .options = COUNT,
                                 .create = create_count,
                                 .destroy = destroy_it,
                                 .list = list_numbers,
                                 .open = open_number};
static const mr_stage inverter = {.struct_size = sizeof inverter,
                                  .name = "frozen_invert",
                                  .summary = "Turn a picture into its negative.",
                                  .takes = MR_IMAGE,
                                  .gives = MR_IMAGE,
                                  .process = invert};
static const mr_stage capitals = {.struct_size = sizeof capitals,
                                  .name = "frozen_upper",
                                  .summary = "Write a text in capitals.",
                                  .takes = MR_TEXT,
                                  .gives = MR_TEXT,
                                  .process = upper};
static const mr_stage copier = {.struct_size = sizeof copier,
                                .name = "frozen_copies",
                                .summary = "Make copies.",
                                .takes = MR_BYTES,
                                .gives = MR_BYTES,
                                .flags = MR_SPLITS,
                                .options = COUNT,
                                .create = create_count,
                                .destroy = destroy_it,
                                .worker_create = create_worker,
                                .worker_destroy = destroy_worker,
                                .process = copies};
static const mr_stage reader = {.struct_size = sizeof reader,
                                .name = "frozen_text",
                                .summary = "Read bytes as text.",
                                .takes = MR_BYTES,
                                .gives = MR_TEXT,
                                .mode = MR_SERIAL_UNORDERED,
                                .process = to_text};
static const mr_stage shower = {.struct_size = sizeof shower,
                                .name = "frozen_show",
                                .summary = "Number what comes.",
                                .takes = MR_BYTES | MR_IMAGE | MR_TEXT,
                                .mode = MR_SERIAL_ORDERED,
                                .load = MR_LOAD_IO,
                                .options = COUNT,
                                .create = create_count,
                                .destroy = destroy_it,
                                .process = show};
static const mr_stage* const stages[] = {&numbers, &inverter, &capitals, &copier, &reader, &shower};

static const mr_plugin plugin = {.struct_size = sizeof plugin,
                                 .abi_major = MR_ABI_MAJOR,
                                 .abi_minor = MR_ABI_MINOR,
                                 .name = "frozen",
                                 .version = "1.0",
                                 .stage_count = sizeof stages / sizeof *stages,
                                 .stages = stages};

const mr_plugin* millrace_plugin_v1(const mr_host* from) {
  host = from;
  return &plugin;
}
