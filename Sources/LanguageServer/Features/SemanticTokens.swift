internal import Modeling
internal import Queries

/// The words of the predicates and key paths that stand in a document's strings, which editors colour.
struct SemanticTokens {
  /// The types of words, as the protocol names them.
  private static let types: [(kind: PredicateWord.Kind, name: String)] = [
    (.keyword, "keyword"), (.property, "property"), (.function, "function"), (.string, "string"), (.number, "number"),
    (.placeholder, "parameter"),
  ]

  /// The names of the types, by the numbers that stand for them.
  static let legend: JSON = .object([
    "tokenTypes": .array(types.map { .string($0.name) }), "tokenModifiers": .array([]),
  ])

  private let document: TextDocument

  init(_ document: TextDocument) { self.document = document }

  /// The words as the protocol writes them: five numbers for each, its place being that behind the one before.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    var words: [(range: Range<Int>, type: Int)] = []
    for standing in workspace.standingTexts(in: document, among: documents) where standing.form != .macro {
      for word in PredicateWord.words(of: standing.text) {
        guard let type = Self.types.firstIndex(where: { $0.kind == word.kind }) else { continue }
        words.append((standing.source(word.range), type))
      }
    }
    // A constant may be the text of several predicates.
    words.sort { $0.range.lowerBound < $1.range.lowerBound }
    var numbers: [Int] = []
    var last = Position(line: 0, character: 0)
    var end = 0
    for (range, type) in words where range.lowerBound >= end {
      let (start, next) = (document.position(of: range.lowerBound), document.position(of: range.upperBound))
      guard start.line == next.line, next.character > start.character else { continue }
      let isSameLine = start.line == last.line
      numbers += [
        start.line - last.line, start.character - (isSameLine ? last.character : 0), next.character - start.character,
        type, 0,
      ]
      (last, end) = (start, range.upperBound)
    }
    return .object(["data": .array(numbers.map { .int(Int64($0)) })])
  }
}
