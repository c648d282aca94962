// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

/// The plugin interface of Millrace in C99: stages in any language that can make a shared library.
///
/// A plugin exports one function, millrace_plugin_v1(). It gets the host's functions and returns a
/// description of the plugin's stages, which the host calls from then on:
///
///     static const mr_host* host;
///
///     static mr_result invert(void* instance, void* worker, mr_item* item, mr_payload* input) {
///       mr_image image = {.struct_size = sizeof image};
///       mr_payload* output;
///       mr_result result = host->image_edit(item, input, &image, &output);
///       if (result != MR_OK) return result;
///       ... change image.writable ...
///       return host->emit(item, output, 0);
///     }
///     static const mr_stage stage = {.struct_size = sizeof stage, .name = "invert",
///                                    .summary = "Turn a picture into its negative.",
///                                    .takes = MR_IMAGE, .gives = MR_IMAGE, .process = invert};
///     static const mr_stage* const stages[] = {&stage};
///     static const mr_plugin plugin = {.struct_size = sizeof plugin, .abi_major = MR_ABI_MAJOR,
///                                      .abi_minor = MR_ABI_MINOR, .name = "invert",
///                                      .version = "1.0", .stage_count = 1, .stages = stages};
///     const mr_plugin* millrace_plugin_v1(const mr_host* from) { host = from; return &plugin; }
///
/// VERSIONS. Within a major version nothing is removed or changes its meaning. Structs begin with
/// their size and grow at their end only, by a minor version. A plugin that was compiled for an
/// older minor works with every later host, unchanged. Hosts refuse a plugin of a newer minor, so
/// the default is the oldest; define MR_ABI_MINOR before including this file to use more.
///
/// STRUCTS. Whoever makes a struct sets `struct_size` to sizeof of it and zeroes what it does not
/// use: `mr_image image = {.struct_size = sizeof image};`. The other side reads and writes no more
/// than that.
///
/// TEXT. `const char*` is UTF-8 that ends with a 0 byte; paths are bytes as the file system has
/// them. What the host is given is copied before its function returns.
///
/// HANDLES. mr_payload is a reference to bytes, a picture or a text; the content is counted and
/// shared, the handle is not: it has one owner and one end. A handle that a call was given or made
/// ends by emit(), image_edit(), text_edit() or release(), or else by itself when that call
/// returns. What is to be kept longer is a handle of its own, by retain(). A handle that has ended
/// is told from a valid one: using it is refused, and fails the item.
///
/// THREADS. Each function says where it is called:
///   [load]    on the thread that opens the library, before anything else
///   [one]     on some thread, no other of this stage's calls at the same time
///   [worker]  plugin functions: on a worker's thread, as many at once as the stage's mode allows;
///             host functions: on the thread that the host called the plugin on, during that call
///   [part]    as [worker], and in the parts of a parallel_for() as well
///   [any]     on any thread, at once, the plugin's own included
///
/// ERRORS. Functions return a code; set_error() before that says why. No C++ exception, longjmp or
/// unwinding may cross the border in either direction.

#ifndef MILLRACE_PLUGIN_H
#define MILLRACE_PLUGIN_H

// NOLINTBEGIN: C has its own names and headers.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MR_ABI_MAJOR 1
#define MR_ABI_NEWEST_MINOR 0
#ifndef MR_ABI_MINOR
#define MR_ABI_MINOR 0
#endif
#if MR_ABI_MINOR > MR_ABI_NEWEST_MINOR
#error "MR_ABI_MINOR is newer than this millrace_plugin.h"
#endif

#if defined(_WIN32)
#define MR_EXPORT __declspec(dllexport)
#else
#define MR_EXPORT __attribute__((visibility("default")))
#endif

typedef struct mr_item mr_item;        ///< An item that a call is about; lasts as long as the call.
typedef struct mr_payload mr_payload;  ///< What travels through a pipeline; see HANDLES.
typedef struct mr_options mr_options;  ///< A stage's settings; last until its destroy() returned.
typedef struct mr_listing mr_listing;  ///< Where a source's list() puts what it finds.

/// What a function that can fail returns.
typedef int32_t mr_result;
enum {
  MR_OK = 0,
  MR_SKIP = 1,           ///< The item ends here, on purpose and without fault.
  MR_RETRYABLE = 2,      ///< It may work when tried again, as the stage's `retry` says.
  MR_INVALID_INPUT = 3,  ///< This item cannot be used; others can.
  MR_CONFIG = 4,         ///< The settings are wrong.
  MR_CANCELLED = 5,      ///< The run, or the item's time, has ended: return soon.
  MR_FATAL = 6           ///< A fault of the plugin, or of how it calls the host.
};

/// Kinds of payload; a set of them is their sum.
enum { MR_BYTES = 1, MR_IMAGE = 2, MR_TEXT = 4 };

/// How many of a stage's calls are made at once. `instance` is what its create() made, `worker`
/// what worker_create() made.
enum {
  MR_PARALLEL = 0,          ///< Many at once with one instance; each worker has its `worker`.
  MR_PER_WORKER = 1,        ///< Many at once, each worker with an instance of its own.
  MR_SERIAL_UNORDERED = 2,  ///< One after the other, as items come.
  MR_SERIAL_ORDERED = 3     ///< One after the other, in the order of the sources.
};

enum { MR_LOAD_CPU = 0, MR_LOAD_IO = 1 };

/// How a stage comes into a pipeline, other than by its name.
enum {
  MR_ROLE_STAGE = 0,      ///< In no other way.
  MR_ROLE_CONVERTER = 1,  ///< The plan puts it in between a stage that gives what it takes and one
                          ///< that takes what it gives.
  MR_ROLE_DECODER = 2     ///< From MR_BYTES to MR_IMAGE: gets files whose format Millrace does not
                          ///< know; returns MR_SKIP where it does not know it either.
};
enum { MR_LOG_DEBUG = 0, MR_LOG_INFO = 1, MR_LOG_WARNING = 2 };

/// Bits of mr_stage.flags.
enum { MR_SPLITS = 1 /**< One item may become many, which are worked on side by side. */ };

/// An encoded file's content.
typedef struct mr_bytes {
  uint32_t struct_size;
  const void* data;  ///< Never null.
  size_t size;
  const char* extension;  ///< That fits the content, without the dot: "jpg"; "" when not known.
} mr_bytes;

/// A picture. Rows stand one below the other, `stride` bytes from one to the next; a sample has 8
/// or 16 bits (in the machine's byte order) and uses its full range. Channels: 1 gray, 3 blue green
/// red, 4 blue green red alpha (alpha not premultiplied).
typedef struct mr_image {
  uint32_t struct_size;
  uint32_t width, height;  ///< At least 1.
  uint32_t channels;       ///< 1, 3 or 4.
  uint32_t depth;          ///< Bits of a sample: 8 or 16.
  uint32_t orientation;    ///< EXIF's tag, 1 to 8: how to turn the rows to see it upright.
  size_t stride;
  const void* pixels;
  void* writable;                    ///< `pixels` where they may be written to; otherwise null.
  double dpi_x, dpi_y;               ///< 0 where the file does not state them.
  uint32_t full_width, full_height;  ///< Of a picture that was read smaller than it is; else 0.
  const void* icc;                   ///< The colour profile; null means sRGB, or gray.
  size_t icc_size;
  const char* format;  ///< What it was read from ("jpeg", "png"), and is written to; may be "".
} mr_image;

/// The text of a page.
typedef struct mr_text {
  uint32_t struct_size;
  uint32_t page_width, page_height;  ///< In pixels; 0 where not known.
  double dpi;                        ///< Of the picture that it was read from; 0 where not known.
  const char* language;              ///< As the engine names it: "eng+deu".
  const char* plain;  ///< All of it: a line ends with \n, an empty line stands between paragraphs.
  size_t word_count;
} mr_text;

/// A word of a text, in reading order, its box in pixels of the page from the top left.
typedef struct mr_word {
  uint32_t struct_size;
  const char* text;  ///< Never empty.
  int32_t x, y, width, height;
  float confidence;  ///< 0 to 100.
  /// Numbers from 0: of the block, the paragraph in the block, and the line in the paragraph. What
  /// text_add() gets stands in the last ones that there are, or in the next.
  uint32_t block, paragraph, line;
} mr_word;

/// A part of the work on an item: [first, last). Any result but MR_OK ends the loop. [part]
typedef mr_result (*mr_part)(void* user, size_t first, size_t last);

/// The functions of the host; they and the table last as long as the process.
typedef struct mr_host {
  uint32_t struct_size;
  uint32_t abi_major, abi_minor;
  const char* version;  ///< Of Millrace: "0.1.0".

  /// For who writes the plugin: shown on the standard error stream if MILLRACE_PLUGIN_LOG is set.
  /// What a user should know goes to warn() or set_error(). [any]
  void (*log)(int32_t level, const char* text);
  /// The reason for the result that the plugin function, or the part, on this thread will return.
  /// The last one counts; host functions that fail have set one already. [part], and in every other
  /// function that the host calls
  void (*set_error)(const char* text);
  /// What this host offers beyond the table, by name and revision; null where it does not. The
  /// struct behind it lasts as long as the process. See EXTENSIONS. [any]
  const void* (*extension)(const char* id, uint32_t revision);

  // Options, by their names in the stage's schema; any other name is a fault. MR_SKIP: there is no
  // value, neither written nor a default; the target is left as it was. Texts and lists last as
  // long as the options. [any]
  mr_result (*option_integer)(const mr_options* options, const char* name, int64_t* value);
  mr_result (*option_number)(const mr_options* options, const char* name, double* value);
  mr_result (*option_boolean)(const mr_options* options, const char* name, int32_t* value);
  mr_result (*option_text)(const mr_options* options, const char* name, const char** value);
  mr_result (*option_list)(const mr_options* options, const char* name, const char* const** values,
                           size_t* count);
  /// All that have a value, as one JSON object. Lasts as long as the options. [any]
  const char* (*options_json)(const mr_options* options);

  /// Of the item: "path" (in its source's folder), "file" (to open; "" where it is none), "label"
  /// (for messages), "index" (in the run's order). Null for any other key. Lasts as long as the
  /// call. [worker]
  const char* (*item_attribute)(mr_item* item, const char* key);
  /// From 1; 0 where the item is not one of several pages. [part]
  uint32_t (*item_page)(const mr_item* item);
  /// Not 0: return MR_CANCELLED soon. Costs little; ask it in loops. [any], during the call
  int32_t (*cancelled)(const mr_item* item);
  /// How much of the item is done, from 0 to 1: told to a user who waits. [any], during the call
  void (*progress)(mr_item* item, double share);
  /// Something that the user should know although the item goes on. [worker]
  void (*warn)(mr_item* item, const char* text);
  /// Hands a payload on, of the kind that the stage gives; `page` counts from 1 where an item
  /// becomes several, or is 0. Ends the handle, whatever comes back. May wait for room downstream;
  /// MR_CANCELLED when the run ends. [worker]
  mr_result (*emit)(mr_item* item, mr_payload* payload, uint32_t page);
  /// Memory for use until the call returns, aligned to 64 bytes, not initialised; each call gives
  /// another block. It stays with the worker, so that the next item costs no allocation. Null when
  /// there is no memory. [worker]
  void* (*scratch)(mr_item* item, size_t size);
  /// Calls `part` for [begin, end) in pieces of `grain` (the last one shorter), on this thread and
  /// on the CPUs that nobody uses. Parts may run at once and in any order; one should be worth 0.2
  /// ms. Returns when all have, with the first result that is not MR_OK. [worker]
  mr_result (*parallel_for)(mr_item* item, size_t begin, size_t end, size_t grain, mr_part part,
                            void* user);

  /// MR_BYTES, MR_IMAGE or MR_TEXT; 0 for a handle that has ended. [any]
  uint32_t (*payload_kind)(const mr_payload* payload);
  /// Another handle of the same content, which outlives the call: its owner ends it, at the latest
  /// in destroy(). Costs no copy. Null for a handle that has ended. [any]
  mr_payload* (*retain)(const mr_payload* payload);
  /// Ends a handle; null does nothing. [any]
  void (*release)(mr_payload* payload);

  // Pictures. What a view points to lasts as long as the handle.
  /// Fills `view`; its pixels are not to be written to. [any]
  mr_result (*image_view)(const mr_payload* payload, mr_image* view);
  /// A new picture: `image` tells its size, channels, depth and what its file is to say, and gets
  /// `stride`, `pixels` and `writable`. The pixels are not initialised. [worker]
  mr_result (*image_new)(mr_item* item, mr_image* image, mr_payload** payload);
  /// A picture with the pixels of another, to write to, whose handle this ends. They are copied
  /// only where somebody else holds them, too. [worker]
  mr_result (*image_edit)(mr_item* item, mr_payload* payload, mr_image* image, mr_payload** edited);
  /// Replaces what a picture's file is to say: orientation, resolution, full size, profile and
  /// format; for a payload of image_new() or image_edit(). [part]
  mr_result (*image_describe)(mr_payload* payload, const mr_image* image);

  // Bytes.
  /// Fills `view`, which lasts as long as the handle. [any]
  mr_result (*bytes_view)(const mr_payload* payload, mr_bytes* view);
  /// New bytes, all 0; `data` gets their place, to be written to until they are handed on. [worker]
  mr_result (*bytes_new)(mr_item* item, size_t size, const char* extension, void** data,
                         mr_payload** payload);

  // Texts.
  /// Fills `view`, which lasts as long as the handle and until text_set() or text_add(). [any]
  mr_result (*text_view)(mr_payload* payload, mr_text* view);
  /// Fills `word`, likewise. [any]
  mr_result (*text_word)(mr_payload* payload, size_t index, mr_word* word);
  /// A new text: of the words in `about->plain` if that is not null, without their places, or else
  /// empty, for text_add(). `about` may be null. [worker]
  mr_result (*text_new)(mr_item* item, const mr_text* about, mr_payload** payload);
  /// Adds a word at the end. The boxes of lines, paragraphs and blocks grow with it. [part]
  mr_result (*text_add)(mr_payload* payload, const mr_word* word);
  /// A text like another, whose handle this ends, for text_set(): everything else about its words,
  /// lines and blocks stays. [worker]
  mr_result (*text_edit)(mr_item* item, mr_payload* payload, mr_payload** edited);
  /// Writes another word in the place of one. [part]
  mr_result (*text_set)(mr_payload* payload, size_t index, const char* word);

  // Listing, in a source's list() only.
  /// An item: its path relative to the source's folder, `/` between parts, and the file itself or
  /// null. Give them in the source's order. MR_CANCELLED when the run ends. [one]
  mr_result (*list_item)(mr_listing* listing, const char* path, const char* file);
  /// Something that cannot be listed: it counts as an input that failed. [one]
  mr_result (*list_failed)(mr_listing* listing, const char* path, const char* reason);
} mr_host;

/// A stage: a source (takes nothing), a sink (gives nothing) or a transform (an item becomes any
/// number of payloads). Text and functions last as long as the process.
typedef struct mr_stage {
  uint32_t struct_size;
  const char* name;     ///< In YAML: a-z, 0-9 and _, beginning with a letter.
  const char* summary;  ///< One sentence on one line, ending with a full stop.
  int32_t role;         ///< MR_ROLE_STAGE ...
  uint32_t takes;       ///< The kinds that it takes, summed; 0: a source.
  uint32_t gives;       ///< The kind that it gives; 0: a sink.
  int32_t mode;         ///< MR_PARALLEL ...
  int32_t load;         ///< MR_LOAD_CPU: a worker for each CPU; MR_LOAD_IO: it waits, so more.
  uint32_t flags;       ///< MR_SPLITS, or 0.
  /// A JSON Schema of type object; null: it has no options. Of each property: type ("integer",
  /// "number", "boolean", "string", or "array" with items {"type": "string"}), description,
  /// default, minimum and maximum, enum (of strings), and "unit", a word for messages. `required`
  /// is a list of names. Nothing else is known.
  const char* options;
  void* user;  ///< Given to check() and create() as it is.

  /// Rules across options: MR_OK, or another result with set_error(). May be null. [one]
  mr_result (*check)(void* user, const mr_options* options);
  /// Makes an instance, before its first item; a failure ends the run. May be null, with destroy():
  /// `instance` is null then. [one]
  mr_result (*create)(void* user, const mr_options* options, void** instance);
  /// When the stage is done with; also for an instance that never saw an item. [one]
  void (*destroy)(void* instance);
  /// What a worker of an MR_PARALLEL stage has for itself. May be null, with the other one:
  /// `worker` is null then, as it is in all other modes. [worker]
  mr_result (*worker_create)(void* instance, void** worker);
  void (*worker_destroy)(void* instance, void* worker);

  /// Works on an item; not of a source. MR_OK without emit() ends the item here. [worker]
  mr_result (*process)(void* instance, void* worker, mr_item* item, mr_payload* input);
  /// Of a source only: names every item, cheaply, in order; once in a run, before any open(). [one]
  mr_result (*list)(void* instance, mr_listing* listing);
  /// Of a source only: emits the content of an item that list() named, as one payload. An item may
  /// be opened several times. [worker]
  mr_result (*open)(void* instance, void* worker, mr_item* item);
} mr_stage;

/// A plugin.
typedef struct mr_plugin {
  uint32_t struct_size;
  uint32_t abi_major, abi_minor;  ///< MR_ABI_MAJOR and MR_ABI_MINOR, as compiled.
  const char* name;
  const char* version;  ///< The plugin's own.
  uint32_t stage_count;
  const mr_stage* const* stages;  ///< Pointers, so that mr_stage can grow.
  /// As mr_host.extension, the other way. May be null. [load]
  const void* (*extension)(const char* id, uint32_t revision);
} mr_plugin;

/// The one function that a plugin exports, with the major version in its name. Null: the plugin
/// cannot be used here; set_error() says why. Called once. [load]
MR_EXPORT const mr_plugin* millrace_plugin_v1(const mr_host* host);

// EXTENSIONS of 1.0. A revision of one never changes.

/// Of the host. How many CPUs the process may use.
#define MR_EXTENSION_CPUS "millrace.cpus"  // revision 1
typedef struct mr_extension_cpus {
  uint32_t struct_size;
  uint32_t (*count)(void);  ///< At least 1. [any]
} mr_extension_cpus;

/// Of a plugin with sources. What the run asks before it lets an item in.
#define MR_EXTENSION_SOURCE_MEMORY "millrace.source_memory"  // revision 1
typedef struct mr_extension_source_memory {
  uint32_t struct_size;
  /// The bytes of memory that an item will take while it is under way; 0 when not known. [one]
  uint64_t (*bytes)(const char* stage, const char* path, const char* file);
} mr_extension_source_memory;

#ifdef __cplusplus
}
#endif
// NOLINTEND

#endif
