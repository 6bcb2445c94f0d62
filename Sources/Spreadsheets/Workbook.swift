internal import Compression

/// The sheets of an Excel workbook (`.xlsx`), with the values of their cells.
///
/// Formulas have the values that were computed when the workbook was saved. Numbers are dates where their style shows
/// one. Shared texts are held in memory; rows are read one by one.
///
///     let workbook = try Workbook(path: "sales.xlsx")
///     let sheet = try workbook.rows(of: workbook.sheets[0])
///     while let row = try sheet.next() { … }
package final class Workbook {
  /// A sheet with its cells.
  package struct Sheet: Sendable {
    package let name: String
    fileprivate let part: String
  }

  /// The sheets with cells, in their order.
  package private(set) var sheets: [Sheet] = []
  /// The size of the file in bytes.
  package var packedSize: Int { archive.size }
  private let archive: ZipArchive
  private var texts: [String] = []
  /// Whether the style at an index shows a date.
  private var areDates: [Bool] = []
  private var daysBefore1970 = 25_569.0
  private static let mostTextBytes = 512 << 20

  /// A part that another refers to.
  private struct Relationship {
    var id: String
    /// The last word of its type, such as `worksheet`.
    var type: Substring
    var target: String
  }

  /// Reads what sheets share.
  ///
  /// - Throws: CompressionError, DocumentError.
  package init(path: String) throws {
    archive = try ZipArchive(path: path)
    let main = try relationships(of: "").first { $0.type == "officeDocument" }?.target ?? "xl/workbook.xml"
    guard archive.has(main) else { throw DocumentError.damaged("it has no workbook") }
    let parts = try relationships(of: main)
    let targets = Dictionary(parts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    try visit(main) { name, attributes in
      if name == "workbookPr", ["1", "true"].contains(attributes["date1904"] ?? "") { daysBefore1970 = 24_107 }
      guard name == "sheet", let id = attributes["id"], let part = targets[id], part.type == "worksheet" else { return }
      guard archive.has(part.target) else { throw DocumentError.damaged("it has no \(part.target)") }
      sheets.append(Sheet(name: attributes["name"] ?? "Sheet\(sheets.count + 1)", part: part.target))
    }
    if let part = parts.first(where: { $0.type == "styles" }) { try readStyles(part.target) }
    if let part = parts.first(where: { $0.type == "sharedStrings" }) { try readTexts(part.target) }
  }

  /// The rows of a sheet, from its first.
  ///
  /// - Throws: CompressionError.
  package func rows(of sheet: Sheet) throws -> SheetReader {
    guard let read = try archive.file(sheet.part) else { throw DocumentError.damaged("it has no \(sheet.part)") }
    return SheetReader(XMLScanner(read), texts: texts, areDates: areDates, daysBefore1970: daysBefore1970)
  }

  // MARK: Parts

  /// Calls `body` with each tag of a part that begins an element.
  private func visit(_ part: String, _ body: (String, XMLAttributes) throws -> Void) throws {
    guard let read = try archive.file(part) else { return }
    var scanner = XMLScanner(read)
    while let token = try scanner.next() {
      if case .start(let name, let attributes, _) = token { try body(name, attributes) }
    }
  }

  /// The parts that a part refers to; those of the archive itself for an empty name.
  private func relationships(of part: String) throws -> [Relationship] {
    let split = part.lastIndex(of: "/").map { part.index(after: $0) } ?? part.startIndex
    let folder = part[..<split]
    var found: [Relationship] = []
    try visit("\(folder)_rels/\(part[split...]).rels") { name, attributes in
      guard name == "Relationship", let id = attributes["Id"], let target = attributes["Target"],
        let type = attributes["Type"]?.split(separator: "/").last
      else { return }
      let path = target.hasPrefix("/") ? String(target.dropFirst()) : folder + target
      found.append(Relationship(id: id, type: type, target: path))
    }
    return found
  }

  private func readStyles(_ part: String) throws {
    var codes: [Int: String] = [:]
    var isInCells = false
    guard let read = try archive.file(part) else { return }
    var scanner = XMLScanner(read)
    while let token = try scanner.next() {
      switch token {
      case .start("numFmt", let attributes, _):
        if let id = attributes["numFmtId"].flatMap({ Int($0) }) { codes[id] = attributes["formatCode"] }
      case .start("cellXfs", _, let isEmpty): isInCells = !isEmpty
      case .end("cellXfs"): isInCells = false
      case .start("xf", let attributes, _) where isInCells:
        let id = attributes["numFmtId"].flatMap { Int($0) } ?? 0
        areDates.append(codes[id].map(NumberFormat.isDate) ?? NumberFormat.isDate(builtIn: id))
      default: break
      }
    }
  }

  /// The texts that cells refer to, without what tells how they are spoken.
  private func readTexts(_ part: String) throws {
    guard let read = try archive.file(part) else { return }
    var scanner = XMLScanner(read)
    var (text, size, isInText, isSpoken) = ("", 0, false, false)
    while let token = try scanner.next() {
      switch token {
      case .start("si", _, let isEmpty):
        text = ""
        if isEmpty { texts.append("") }
      case .end("si"):
        texts.append(SheetReader.unescaped(text))
        size += text.utf8.count + 16
        if size > Self.mostTextBytes { throw DocumentError.tooLarge("its texts take more than 512 MB") }
      case .start("t", _, let isEmpty): isInText = !isEmpty && !isSpoken
      case .end("t"): isInText = false
      case .start("rPh", _, let isEmpty): isSpoken = !isEmpty
      case .end("rPh"): isSpoken = false
      case .text(let part) where isInText: text += part
      default: break
      }
    }
  }
}
