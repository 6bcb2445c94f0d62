import Foundation
import Testing

/// `perilune doc` writes a model for people, as Markdown and as a diagram.
@Suite struct ModelDocumentTests {
  private static let model = """
    return Model {
      Book = Entity {
        title = String { optional = false, minLength = 1, regex = "[^|`]+" },
        pages = Integer64 { min = 1, max = 9000, default = 100 },
        authors = ToMany "Author" { inverse = "books", ordered = true },
        cover = ToOne "Cover" { inverse = "book", deleteRule = "cascade" },
        _ = { indexes = { { "title", "pages" } } },
      },
      Author = Entity { name = String { unique = true }, books = ToMany "Book" { inverse = "authors", minCount = 1, maxCount = 9 } },
      Cover = Entity { image = Data, book = ToOne "Book" { inverse = "cover", optional = false } },
      Novel = Entity { genre = String, sequel = ToOne "Novel" { unidirectional = true }, _ = { parent = "Book" } },
      Shelf = Entity { abstractName = String, _ = { abstract = true } },
    }
    """

  private func run(_ arguments: [String]) throws -> (program: BuiltProgram, output: String) {
    let program = try BuiltProgram()
    try program.write("model.lua", Self.model)
    let result = try program.run(["doc"] + arguments + ["model.lua"])
    #expect(result.status == 0, "\(result.errors)")
    return (program, result.output)
  }

  @Test func markdownHasThePropertiesWithTheirRules() throws {
    let lines = try run([]).output.split(separator: "\n").map(String.init)
    for line in [
      "# model", "## Book", "| `pages` | Integer64 | at least 1, at most 9000, new: `100` |",
      "| `title` | String | required, 1 character or more, like `` [^\\|`]+ `` |",
      "| `authors` | many, in order, [Author](#author) | `books` | nullify |",
      "| `cover` | one or no [Cover](#cover) | `book` | cascade |",
      "| `books` | 1 to 9 [Book](#book) | `authors` | nullify |",
      "| `book` | one [Book](#book) | `cover` | nullify |", "- index: `title`, `pages`",
      "It is a [Book](#book), and has its properties, too.", "It is abstract: it has no objects of its own.",
      "| `sequel` | one or no [Novel](#novel) |  | nullify |",
    ] {
      let isThere = lines.contains(line)
      #expect(isThere, "\(line) in \(lines.joined(separator: "\n"))")
    }
    // What is inherited stands at the parent alone.
    #expect(lines.count { $0.hasPrefix("| `pages` |") } == 1)
  }

  @Test func allCellsOfATableAreOnItsLines() throws {
    var columns = 0
    for line in try run([]).output.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        columns = 0
        continue
      }
      let count = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(columns == 0 || count == columns, "\(line)")
      columns = count
    }
  }

  @Test func theDiagramHasEachEntityAndALineForEachRelationship() throws {
    let svg = try run(["--svg"]).output
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    for name in ["Book", "Author", "Cover", "Novel", "Shelf"] { #expect(svg.contains(">\(name)</text>"), "\(name)") }
    let paths = svg.split(separator: "\n").filter { $0.contains(" d=\"M") && $0.contains("C") }
    // books with authors, book with cover, sequel; and that a novel is a book.
    #expect(paths.count { $0.contains("class=\"link\"") } == 3)
    #expect(paths.count { $0.contains("class=\"parent\"") } == 1)
  }

  @Test func noBoxCoversAnother() throws {
    let svg = try run(["--svg"]).output
    let number = "([0-9.]+)"
    let pattern = try Regex("class=\"box\" x=\"\(number)\" y=\"\(number)\" width=\"\(number)\" height=\"\(number)\"")
    let boxes = svg.matches(of: pattern).map { match in
      (1...4).map { Double(match.output[$0].substring ?? "") ?? -1 }
    }
    #expect(boxes.count == 5)
    for (index, one) in boxes.enumerated() {
      for other in boxes[..<index] {
        let isApart =
          one[0] + one[2] < other[0] || other[0] + other[2] < one[0] || one[1] + one[3] < other[1]
          || other[1] + other[3] < one[1]
        #expect(isApart, "\(one) \(other)")
      }
    }
  }

  @Test func bothAreFilesOfAFolderThatBelongTogether() throws {
    let (program, output) = try run(["--into", "docs"])
    #expect(output == "")
    let markdown = try String(contentsOfFile: program.path("docs/model.md"), encoding: .utf8)
    #expect(markdown.contains("(model.svg)"))
    #expect(try String(contentsOfFile: program.path("docs/model.svg"), encoding: .utf8) == run(["--svg"]).output)
  }
}
