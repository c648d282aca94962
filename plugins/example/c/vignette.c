// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// A stage in C: darkens a picture towards its corners. Copy it and change what it does.

#include <math.h>
#include <millrace_plugin.h>
#include <stdlib.h>
#include <string.h>

static const mr_host* host;

// Not called after the stage, so that a copy may have any name.
typedef struct look {
  double strength;  // 0 to 1
  double radius;    // of what stays as it is; the corner is at 1
  int circle;
} look;

static mr_result create(void* user, const mr_options* options, void** instance) {
  (void)user;
  const char* shape = "";
  look* made = calloc(1, sizeof *made);
  if (!made) return MR_FATAL;
  host->option_number(options, "strength", &made->strength);
  host->option_number(options, "radius", &made->radius);
  host->option_text(options, "shape", &shape);
  made->strength /= 100;
  made->radius /= 100;
  made->circle = strcmp(shape, "circle") == 0;
  *instance = made;
  return MR_OK;
}

static void destroy(void* instance) { free(instance); }

typedef struct job {
  const look* settings;
  mr_image image;
  double scale_x, scale_y;  // from pixels to a distance that is 1 in the corner
} job;

static double factor_at(const job* at, double x, double y) {
  const look* settings = at->settings;
  const double dx = (x + 0.5 - at->image.width * 0.5) * at->scale_x;
  const double dy = (y + 0.5 - at->image.height * 0.5) * at->scale_y;
  const double distance = sqrt(dx * dx + dy * dy);
  if (distance <= settings->radius) return 1;
  const double part = fmin((distance - settings->radius) / (1 - settings->radius), 1);
  return 1 - settings->strength * part * part * (3 - 2 * part);
}

static mr_result darken_rows(void* user, size_t first, size_t last) {
  const job* at = user;
  const mr_image* image = &at->image;
  const uint32_t colours = image->channels == 4 ? 3 : image->channels;  // alpha stays
  for (size_t y = first; y < last; ++y) {
    uint8_t* row = (uint8_t*)image->writable + y * image->stride;
    uint16_t* wide_row = (uint16_t*)(void*)row;
    for (uint32_t x = 0; x < image->width; ++x) {
      const double factor = factor_at(at, x, (double)y);
      for (uint32_t c = 0; c < colours; ++c) {
        const size_t sample = (size_t)x * image->channels + c;
        if (image->depth == 16)
          wide_row[sample] = (uint16_t)(wide_row[sample] * factor + 0.5);
        else
          row[sample] = (uint8_t)(row[sample] * factor + 0.5);
      }
    }
  }
  return MR_OK;
}

static mr_result process(void* instance, void* worker, mr_item* item, mr_payload* input) {
  (void)worker;
  job all = {.settings = instance, .image = {.struct_size = sizeof all.image}};
  mr_payload* output = NULL;
  mr_result result = host->image_edit(item, input, &all.image, &output);
  if (result != MR_OK) return result;
  const double half_width = all.image.width * 0.5, half_height = all.image.height * 0.5;
  const double corner = sqrt(half_width * half_width + half_height * half_height);
  all.scale_x = all.settings->circle ? 1 / corner : sqrt(0.5) / half_width;
  all.scale_y = all.settings->circle ? 1 / corner : sqrt(0.5) / half_height;
  result = host->parallel_for(item, 0, all.image.height, 32, darken_rows, &all);
  if (result != MR_OK) return result;
  return host->emit(item, output, 0);
}

static const char options[] =
    "{\"type\": \"object\", \"properties\": {"
    "\"strength\": {\"type\": \"number\", \"default\": 50, \"minimum\": 0, \"maximum\": 100,"
    " \"unit\": \"percent\", \"description\": \"How much darker the corners become.\"},"
    "\"radius\": {\"type\": \"number\", \"default\": 40, \"minimum\": 0, \"maximum\": 99,"
    " \"unit\": \"percent\", \"description\": \"How far from the centre, on the way to a corner, "
    "the"
    " picture stays as it is.\"},"
    "\"shape\": {\"type\": \"string\", \"default\": \"ellipse\", \"enum\": [\"ellipse\", "
    "\"circle\"],"
    " \"description\": \"Whether it follows the picture's proportions.\"}}}";

static const mr_stage stage = {
    .struct_size = sizeof stage,
    .name = "vignette",
    .summary = "Darken a picture towards its corners.",
    .takes = MR_IMAGE,
    .gives = MR_IMAGE,
    .mode = MR_PARALLEL,
    .load = MR_LOAD_CPU,
    .options = options,
    .create = create,
    .destroy = destroy,
    .process = process,
};
static const mr_stage* const stages[] = {&stage};

static const mr_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi_major = MR_ABI_MAJOR,
    .abi_minor = MR_ABI_MINOR,
    .name = "vignette",
    .version = "1.0",
    .stage_count = 1,
    .stages = stages,
};

const mr_plugin* millrace_plugin_v1(const mr_host* from) {
  host = from;
  return &plugin;
}
