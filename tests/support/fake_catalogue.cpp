// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "support/fake_catalogue.hpp"

#include <limits>

#include "config/excerpt.hpp"
#include "support/catch.hpp"

namespace millrace::test {
namespace {

using Kinds = std::vector<PayloadKind>;
using enum PayloadKind;

struct Idle final : StageWorker {
  void work(ItemContext&, Payload, const Emit&) override {}
};

struct Fake : FakeStage {
  Kinds in;
  std::optional<PayloadKind> out;
  Fake(Kinds takes, std::optional<PayloadKind> gives) : in(std::move(takes)), out(gives) {}

  Kinds takes() const override { return in; }
  std::optional<PayloadKind> gives() const override { return out; }
  std::vector<std::string> accept(const Demand& demand) override {
    accepted = demand;
    return {};
  }
  std::unique_ptr<StageWorker> make_worker(const Context&) const override {
    return std::make_unique<Idle>();
  }
};

struct Source final : Fake {
  std::string path;
  std::vector<std::string> match{"**/*"};
  Source() : Fake({}, bytes) {}
  Load load() const override { return Load::io; }
  void options(Options& o) override {
    o.add("path", path, "The folder to read.").required();
    o.add("match", match, "Which files.");
  }
};

struct Images final : Fake {
  int count = 1;
  Images() : Fake({}, image) {}
  void options(Options& o) override { o.add("count", count, "How many.").range(1, 100); }
};

struct Decode final : Fake {
  std::int64_t max_pixels = 100;
  bool strict = true;
  Decode() : Fake({bytes}, image) {}
  void options(Options& o) override {
    o.add("max_pixels", max_pixels, "The largest picture.").range(1, 1000);
    o.add("strict", strict, "Refuse truncated files.");
  }
  Demand demand(const Demand&) const override {
    Demand demand;
    demand.memory = [](const Bytes&, std::uint64_t length) {
      const auto most = std::numeric_limits<std::uint64_t>::max();
      return length > most / 10 ? most : 10 * length;
    };
    return demand;
  }
};

struct Encode final : Fake {
  enum class Format { jpeg, png };
  Format format = Format::jpeg;
  int quality = 85;
  Encode() : Fake({image}, bytes) {}
  void options(Options& o) override {
    o.add("format", format, {{"jpeg", Format::jpeg, "JPEG."}, {"png", Format::png, "PNG."}},
          "The file's format.");
    o.add("quality", quality, "Of a lossy format.").range(1, 100);
  }
  std::vector<std::string> accept(const Demand& demand) override {
    if (demand.extension == "txt") return {"'txt' is no picture's extension"};
    return Fake::accept(demand);
  }
};

struct Render final : Fake {
  Render() : Fake({text}, bytes) {}
};

struct Resize final : Fake {
  enum class Fit { inside, outside };
  Length width{800, false};
  double angle = 0;
  bool upright = true;
  Fit fit = Fit::inside;
  Colour background;
  Resize() : Fake({image}, image) {}
  void options(Options& o) override {
    o.add("width", width, "Of the result.").range(1, 65535);
    o.add("angle", angle, "To turn by.").range(0, 45).unit("degrees");
    o.add("upright", upright, "Turned by the tag already.");
    o.add("fit", fit,
          {{"inside", Fit::inside, "Within the box."}, {"outside", Fit::outside, "Around it."}},
          "How it fits.");
    o.add("background", background, "Behind the picture.");
  }
  Demand demand(const Demand&) const override {
    Demand demand;
    demand.upright = upright;
    demand.target_size = [w = static_cast<int>(width.value)](cv::Size full) {
      return cv::Size(w, full.height * w / full.width);
    };
    return demand;
  }
};

struct Gray final : Fake {
  Gray() : Fake({image}, image) {}
  Demand demand(const Demand& downstream) const override {
    Demand demand = downstream;
    demand.gray = true;
    return demand;
  }
};

struct Ocr final : Fake {
  std::vector<std::string> languages{"eng"};
  Duration patience = std::chrono::seconds(30);
  ByteSize memory{1 << 20};
  std::optional<int> columns;
  Ocr() : Fake({image}, text) {}
  void options(Options& o) override {
    o.add("languages", languages, "To read.");
    o.add("patience", patience, "With one page.").range(1, 60).unit("seconds");
    o.add("memory", memory, "To use.");
    o.add("columns", columns, "On a page.").range(1, 9);
  }
};

struct Write final : Fake {
  std::string path;
  Write() : Fake({bytes}, std::nullopt) {}
  Load load() const override { return Load::io; }
  void options(Options& o) override { o.add("path", path, "The file to write.").required(); }
  std::vector<std::string> check() const override {
    if (path.find('*') != path.npos) return {"path: '*' cannot stand in a file's name"};
    return {};
  }
  Demand demand(const Demand&) const override {
    Demand demand;
    demand.extension = path.substr(path.find_last_of('.') + 1);
    return demand;
  }
};

struct Show final : Fake {
  Show() : Fake({image}, std::nullopt) {}
};

struct ReadText final : Fake {
  ReadText() : Fake({text}, std::nullopt) {}
};

struct Picky final : Fake {
  double low = 0, high = 1;
  Picky() : Fake({image}, image) {}
  void options(Options& o) override {
    o.add("low", low, "The lower limit.");
    o.add("high", high, "The upper limit.");
  }
  std::vector<std::string> check() const override {
    if (low >= high) return {"low must be below high"};
    return {};
  }
  std::vector<std::string> accept(const Demand& demand) override {
    if (demand.gray) throw Error(ErrorKind::config, "gray is beneath this stage");
    return Fake::accept(demand);
  }
};

template <class S>
void add(Catalogue& catalogue, const char* name, Role role = Role::stage) {
  catalogue.add({name, "A stage for tests.", role, [] { return std::make_unique<S>(); }, {}});
}

Catalogue make_catalogue() {
  Catalogue catalogue;
  add<Source>(catalogue, "test_source");
  add<Images>(catalogue, "test_images");
  add<Decode>(catalogue, "test_decode", Role::converter);
  add<Encode>(catalogue, "test_encode", Role::converter);
  add<Render>(catalogue, "test_render", Role::converter);
  add<Resize>(catalogue, "test_resize");
  add<Gray>(catalogue, "test_gray");
  add<Ocr>(catalogue, "test_ocr");
  add<Write>(catalogue, "test_write");
  add<Show>(catalogue, "test_show");
  add<ReadText>(catalogue, "test_read_text");
  add<Picky>(catalogue, "test_picky");
  catalogue.add({"test_closed", "In a plugin that is not there.", Role::stage,
                 []() -> std::unique_ptr<Stage> {
                   throw Error(ErrorKind::plugin, "libclosed.so is not installed");
                 },
                 "libclosed.so"});
  return catalogue;
}

}  // namespace

const Catalogue& fake_catalogue() {
  static const Catalogue catalogue = make_catalogue();
  return catalogue;
}

const FakeStage& fake(const PlannedStage& stage) {
  return dynamic_cast<const FakeStage&>(*stage.stage);
}

const PlannedStage& stage_of(const Plan& plan, const std::string& id) {
  for (const auto& stage : plan.stages)
    if (stage.id == id) return stage;
  throw std::out_of_range("the plan has no stage " + id);
}

std::string option_of(const PlannedStage& stage, const std::string& option) {
  Options options;
  stage.stage->options(options);
  return options.find(option)->print();
}

LoadResult load_fake(const std::string& text, const std::map<std::string, std::string>& sets) {
  return load_pipeline(text, "p.yaml", sets, fake_catalogue());
}

Plan plan(const std::string& stages, const std::string& top) {
  const std::string file = "version: 1\n" + top + "stages:\n" + stages;
  auto result = load_fake(file);
  INFO(told(result, file));
  REQUIRE(result.plan);
  return std::move(*result.plan);
}

std::string ids_of(const Plan& plan, const std::vector<std::size_t>& stages) {
  std::string text;
  for (const auto stage : stages) text += (text.empty() ? "" : " ") + plan.stages[stage].id;
  return text;
}

std::string inputs(const Plan& plan, const std::string& id) {
  return ids_of(plan, stage_of(plan, id).inputs);
}

std::string told(const LoadResult& result, const std::string& text) {
  return format_all(result.diagnostics, text);
}

}  // namespace millrace::test
