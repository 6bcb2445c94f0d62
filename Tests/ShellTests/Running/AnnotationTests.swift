import Foundation
import Testing

/// `perilune types --lua` writes what editors of Lua need to know of a store, as LuaCATS.
@Suite struct AnnotationTests {
  /// Names that need care: words of Lua, letters beyond ASCII, an entity that inherits, one called as a type.
  private static let model = """
    return Model {
      Book = Entity {
        title = String { optional = false },
        ["end"] = Date,
        pages = Integer64 { min = 1, max = 9000 },
        price = Decimal,
        ["größe"] = Double,
        authors = ToMany "Author" { inverse = "books" },
        cover = ToOne "Cover" { inverse = "book" },
      },
      Author = Entity { name = String, books = ToMany "Book" { inverse = "authors" } },
      Cover = Entity { image = Data, book = ToOne "Book" { inverse = "cover" } },
      Novel = Entity { genre = String, _ = { parent = "Book" } },
      string = Entity { text = String },
    }
    """

  private func annotations() throws -> (program: BuiltProgram, lines: [String]) {
    let program = try BuiltProgram()
    try program.write("model.lua", Self.model)
    let result = try program.run(["types", "--lua", "model.lua"])
    #expect(result.status == 0, "\(result.errors)")
    try program.write("types.lua", result.output)
    return (program, result.output.split(separator: "\n").map(String.init))
  }

  @Test func propertiesHaveTheirTypes() throws {
    let lines = try annotations().lines
    for line in [
      "---@class Book : perilune.Object", "---@field title string", "---@field [\"end\"]? perilune.Date",
      "---@field pages? integer 1 to 9000", "---@field price? perilune.Decimal", "---@field [\"größe\"]? number",
      "---@field authors Author.Collection", "---@field cover? Cover", "---@field image? string Data",
      "---@class Novel : Book", "---@field genre? string", "---@class string_ : perilune.Object",
      "---@overload fun(values?: Book.Values): Book",
    ] {
      let isThere = lines.contains(line)
      #expect(isThere, "\(line)")
    }
    #expect(
      lines.contains { $0.hasPrefix("---@field where fun(self: Book.Entity, ") && $0.contains("): Book.Request ") })
    #expect(lines.contains { $0.hasPrefix("---@field fetch fun(self: Book.Request): Book.Result ") })
  }

  @Test func everyClassThatIsNamedIsDeclaredOnce() throws {
    let lines = try annotations().lines
    var declared: [String] = []
    for line in lines {
      if let match = line.firstMatch(of: /^---@(?:class|alias) ([\p{L}\w.]+)/) { declared.append(String(match.1)) }
    }
    #expect(declared.count == Set(declared).count)
    let names = Set(declared)
    for line in lines where line.hasPrefix("---@") {
      for match in line.matches(of: /\b(?:perilune|Book|Author|Cover|Novel|string_)\.[A-Z]\w*(?:\.options)?/) {
        #expect(names.contains(String(match.output)), "\(match.output) in \(line)")
      }
    }
  }

  @Test func bracketsAreClosedAndAnyNumberOfParametersComesLast() throws {
    for line in try annotations().lines where line.hasPrefix("---@") && line.contains("fun(") {
      var depth = 0
      for character in line.prefix(while: { $0 != "`" }) {
        if "({[".contains(character) { depth += 1 }
        if ")}]".contains(character) { depth -= 1 }
        #expect(depth >= 0, "\(line)")
      }
      #expect(!line.contains("...: any, "), "\(line)")
    }
  }

  @Test func theFileIsLuaAndNamesEveryGlobal() throws {
    let (program, lines) = try annotations()
    let listing = try program.run([
      "-e", "assert(loadfile 'types.lua') for name in pairs(_G) do print(name) end",
    ])
    #expect(listing.status == 0, "\(listing.errors)")
    // What Lua itself has is known to every editor.
    let standard: Set = [
      "_G", "_VERSION", "arg", "assert", "collectgarbage", "coroutine", "debug", "dofile", "error", "getmetatable",
      "io",
      "ipairs", "load", "loadfile", "math", "next", "os", "package", "pairs", "pcall", "print", "rawequal", "rawget",
      "rawlen", "rawset", "require", "select", "setmetatable", "string", "table", "tonumber", "tostring", "type",
      "utf8",
      "warn", "xpcall",
    ]
    for name in listing.output.split(separator: "\n").map(String.init) where !standard.contains(name) {
      #expect(lines.contains { $0.hasPrefix("function \(name)(") || $0 == "\(name) = nil" }, "\(name)")
    }
  }

  // MARK: Stores

  private func annotations(ofStore options: [String]) throws -> [String] {
    let program = try BuiltProgram()
    try program.write(
      "model.lua",
      "return Model { Quake = Entity { status = String, code = String { unique = true }, place = String, Key = String, "
        + "depth = Double { max = 700 } }, Shock = Entity { mark = String, _ = { parent = 'Quake' } } }")
    try program.write(
      "fill.lua",
      "for i = 1, 60 do local Make = i % 2 == 0 and Shock or Quake\n"
        + "Make { status = i % 3 == 0 and 'a \\\"b\\\"' or 'reviewed', code = 'c' .. i, place = 'p' .. i, Key = 'k',"
        + " depth = i % 4 > 0 and i or nil } end save()")
    #expect(try program.run(["--create", "q.sqlite", "--model", "model.lua", "fill.lua"]).status == 0)
    let result = try program.run(["types", "--lua", "q.sqlite"] + options)
    #expect(result.status == 0, "\(result.errors)")
    try program.write("types.lua", result.output)
    #expect(try program.run(["-e", "assert(loadfile 'types.lua')"]).status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func theValuesOfATextThatTakesFewAreOffered() throws {
    let lines = try annotations(ofStore: ["--values"])
    #expect(lines.contains(#"---@alias Quake.status string|"reviewed"|"a \"b\"""#))
    #expect(lines.contains("---@field status? Quake.status"))
    // Each code and each place comes once, and a name of a class is no name of an alias.
    #expect(lines.contains("---@field code? string unique"))
    #expect(lines.contains("---@field place? string"))
    #expect(lines.count { $0.hasPrefix("---@alias Quake.Key ") } == 1)
    #expect(!lines.contains { $0.hasPrefix("---@alias Shock.status") })
    #expect(try annotations(ofStore: []).contains("---@field status? string"))
  }

  @Test func countsAndRangesAreSaidWhereTheyAreWanted() throws {
    let lines = try annotations(ofStore: ["--statistics"])
    #expect(
      lines.contains("---@field depth? number 700.0 or less; 60 objects, 15 without, 45 different, 1.0 to 59.0"))
    #expect(lines.contains("---@field code? string unique; 60 objects, 60 different"))
  }

  @Test func aModelHasNoValues() throws {
    let program = try BuiltProgram()
    try program.write("model.lua", Self.model)
    for option in ["--values", "--statistics"] {
      let result = try program.run(["types", "--lua", "model.lua", option])
      #expect(result.status == 64)
      #expect(result.errors.contains("give a store"))
    }
  }

  @Test func keyPathsOfManyRelationshipsAreCut() throws {
    let program = try BuiltProgram()
    let attributes = (1...40).map { "a\($0) = String" }.joined(separator: ", ")
    let ones = (1...10).map { "one\($0) = ToOne 'B' { inverse = 'many\($0)' }" }.joined(separator: ", ")
    let many = (1...10).map { "many\($0) = ToMany 'A' { inverse = 'one\($0)' }" }.joined(separator: ", ")
    try program.write(
      "model.lua", "return Model { A = Entity { z = String, \(ones) }, B = Entity { \(attributes), \(many) } }")
    let keys = try program.run(["types", "--lua", "model.lua"]).output.split(separator: "\n")
      .first { $0.hasPrefix("---@alias A.Key ") }
    #expect(keys?.split(separator: "|").count == 601)
    #expect(keys?.hasPrefix("---@alias A.Key string|\"z\"|\"-z\"|") == true)
  }

  @Test func optionsHaveTheirTypes() throws {
    let lines = try annotations().lines
    #expect(lines.contains { $0.hasPrefix("---@field comparator? \"binary\"|\"caseInsensitive\"|") })
    #expect(lines.contains { $0.hasPrefix("---@field initial? boolean ") })
  }

  @Test func theyAreTheSameEachTime() throws {
    #expect(try annotations().lines == annotations().lines)
  }
}
