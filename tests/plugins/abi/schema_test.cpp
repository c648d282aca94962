// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "plugins/abi/c_stage.hpp"

using namespace millrace_test;

namespace {

constexpr const char* every_kind = R"({
	"type": "object",
	"additionalProperties": false,
	"required": ["name"],
	"properties": {
		"level": {"type":"integer","default":3,"minimum":0,"maximum":9,"unit":"steps",
		          "description":"How much."},
		"share": {"type": "number", "default": 0.5, "minimum": 0, "description": "Of it."},
		"fast": {"type": "boolean", "default": true, "description": "Whether quickly."},
		"name": {"type": "string", "description": "What it is called."},
		"shape": {"type": "string", "enum": ["round", "square"], "default": "round",
		          "description": "Its \"shape\"."},
		"tags": {"type": "array", "items": {"type": "string"}, "default": ["a", "b c"],
		         "description": "Some words."},
		"extra": {"type": "number", "description": "Maybe."}
	}
})";

mr_stage with_schema(const char* schema) {
  mr_stage stage = described(pass_on);
  stage.options = schema;
  return stage;
}

std::string of_property(const std::string& property) {
  const std::string schema = R"({"type": "object", "properties": {"p": )" + property + "}}";
  const mr_stage stage = with_schema(schema.c_str());
  return refusal([&] { read({&stage}); });
}

std::string of_schema(const char* schema) {
  const mr_stage stage = with_schema(schema);
  return refusal([&] { read({&stage}); });
}

const std::string in_options = "stage 'tried': options: ";

}  // namespace

TEST_CASE("a schema's options are those of a built-in stage", "[plugin][abi]") {
  const auto stage = made(with_schema(every_kind));
  Options options;
  stage->options(options);
  REQUIRE(options.all().size() == 7);
  CHECK(options.find("level")->allowed() == "0..9 steps");
  CHECK(options.find("level")->default_text() == "3");
  CHECK(options.find("level")->assign(Value::scalar("12")) == "12 is outside 0..9 steps");
  CHECK(options.find("share")->allowed() == "0 or more");
  CHECK(options.find("fast")->default_text() == "true");
  CHECK(options.find("name")->is_required());
  CHECK(options.find("shape")->allowed() == "round | square");
  CHECK(options.find("shape")->summary() == "Its \"shape\".");
  CHECK(options.find("shape")->assign(Value::scalar("flat")).has_value());
  CHECK(options.find("tags")->default_text() == "[a, \"b c\"]");
  CHECK(options.find("extra")->default_text().empty());
}

TEST_CASE("a plugin reads its options by type and as JSON", "[plugin][abi]") {
  mr_stage stage = with_schema(every_kind);
  stage.check = [](void*, const mr_options* options) -> mr_result {
    std::int64_t level = 0;
    double share = 0, extra = -1;
    std::int32_t fast = 0;
    const char *name = nullptr, *shape = nullptr;
    const char* const* tags = nullptr;
    std::size_t count = 0;
    CHECK(host().option_integer(options, "level", &level) == MR_OK);
    CHECK(host().option_number(options, "share", &share) == MR_OK);
    CHECK(host().option_boolean(options, "fast", &fast) == MR_OK);
    CHECK(host().option_text(options, "name", &name) == MR_OK);
    CHECK(host().option_text(options, "shape", &shape) == MR_OK);
    CHECK(host().option_list(options, "tags", &tags, &count) == MR_OK);
    CHECK(host().option_number(options, "extra", &extra) == MR_SKIP);
    const bool same = level == 7 && share == 0.5 && fast == 1 && extra == -1 && count == 2;
    CHECK(same);
    const std::string texts = std::string(name) + shape + tags[0] + tags[1];
    CHECK(texts == "x\"yroundab c");
    host().set_error(host().options_json(options));
    return MR_CONFIG;
  };
  const auto tried = configured(made(stage), {{"level", "7"}, {"name", "x\"y"}});
  CHECK(tried->check() ==
        std::vector<std::string>{R"({"level": 7, "share": 0.5, "fast": true, "name": "x\"y", )"
                                 R"("shape": "round", "tags": ["a", "b c"]})"});
}

TEST_CASE("every escape of JSON is read, and what a plugin gets back says the same",
          "[plugin][abi]") {
  mr_stage stage = with_schema(
      R"({"type": "object", "properties": {"p": {"type": "string", "description": "\u00dC \/\ud83C\uDfBb.",)"
      R"( "default": "\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00\\ud83d"}}})");
  stage.check = [](void*, const mr_options* options) -> mr_result {
    const char* text = nullptr;
    CHECK(host().option_text(options, "p", &text) == MR_OK);
    CHECK(std::string(text) == "\"\\/\b\f\n\r\t\u00e9\u20ac\U0001f600\\ud83d");
    CHECK(
        std::string(host().options_json(options)) ==
        "{\"p\": \"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\u00e9\u20ac\U0001f600\\\\ud83d\"}");
    return MR_OK;
  };
  const auto tried = made(stage);
  Options options;
  tried->options(options);
  CHECK(options.find("p")->summary() == "\u00dc /\U0001f3bb.");
  CHECK(tried->check().empty());
}

TEST_CASE("half a character, and an escape that JSON does not know, are refused", "[plugin][abi]") {
  const auto text = GENERATE("\\ud83d", "\\ude00", "\\ud83d\\ud83d", "\\ude00\\ud83d", "\\ud83dx",
                             "\\ud83d\\u00e9", "\\u12", "\\q", "\\ud83d\\");
  CHECK_THAT(of_property(std::string(R"({"type": "string", "description": ")") + text + "\"}"),
             ContainsSubstring(in_options + "line 1, column "));
}

TEST_CASE("an option that the schema does not declare, or has as another type, fails the stage",
          "[plugin][abi]") {
  mr_stage stage = with_schema(every_kind);
  stage.destroy = [](void*) {};
  stage.create = [](void*, const mr_options* options, void**) -> mr_result {
    std::int64_t value = 0;
    host().option_integer(options, "levle", &value);
    return MR_OK;
  };
  CHECK(refusal([&] { made(stage)->make_worker(Context()); }) ==
        "create reads the option 'levle', which its schema does not declare; it declares level, "
        "share, fast, name, shape, tags and extra");
  stage.create = [](void*, const mr_options* options, void**) -> mr_result {
    std::int64_t value = 0;
    return host().option_integer(options, "share", &value);
  };
  CHECK(refusal([&] { made(stage)->make_worker(Context()); }) ==
        "create reads the option 'share' as an integer, which it is not");
}

TEST_CASE("a bad schema is told with the place and what is allowed", "[plugin][abi]") {
  CHECK(of_schema("[]") == in_options + "is not a JSON object");
  CHECK(of_schema("") == in_options + "is not a JSON object");
  CHECK_THAT(of_schema("{\"type\": \"object\","),
             ContainsSubstring("line 1, column 1: '{' is not"));
  CHECK(of_schema("{\"type\": \"array\"}") == in_options + "lacks \"type\": \"object\"");
  CHECK(of_schema("{\"type\": \"object\", \"propertys\": {}}") ==
        in_options + "'propertys' is not known; did you mean 'properties'?");
  CHECK(of_schema("{\"type\": \"object\", \"required\": [\"p\"]}") ==
        in_options + "'required' names 'p', which is no property");
  CHECK(of_property("{\"type\": \"colour\"}") ==
        in_options +
            "p: 'colour' is not a type that an option can have; there are integer, number, "
            "boolean, string and array");
  CHECK(of_property("{\"type\": \"string\"}") == in_options + "p: lacks its description");
}

TEST_CASE("a property that contradicts itself is told", "[plugin][abi]") {
  CHECK(of_property(R"({"type": "integer", "description": "P.", "default": 12, "maximum": 9})") ==
        in_options + "p: its default is wrong: 12 is not 9 or less");
  CHECK(of_property(R"({"type": "number", "description": "P.", "minimum": 2, "maximum": 1})") ==
        in_options + "p: its minimum is above its maximum");
  CHECK(of_property(R"({"type": "integer", "description": "P.", "enum": ["a"]})") ==
        in_options + "p: 'enum' is a list of texts, of an option of type string");
  CHECK(of_property(R"({"type": "string", "description": "P.", "enum": ["a"], "default": "b"})") ==
        in_options + "p: its default is wrong: 'b' is not one of a");
  CHECK_THAT(of_property(R"({"type": "array", "description": "P."})"),
             ContainsSubstring("an array wants items of type string"));
}
