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

  @Test func theyAreTheSameEachTime() throws {
    #expect(try annotations().lines == annotations().lines)
  }
}
