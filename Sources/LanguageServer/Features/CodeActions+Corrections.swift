internal import Modeling
internal import Session
internal import SwiftReading

// Corrections of more than one word.
extension CodeActions {
  private func quickFix(_ title: String, _ edit: JSON) -> JSON {
    .object(["title": .string(title), "kind": .string("quickfix"), "edit": edit])
  }

  /// A colon in place of the point in `Quake.where("magnitude > 6")`.
  func methodCall(_ workspace: Workspace) -> [JSON] {
    guard document.language == .lua,
      let found = workspace.session(of: document)?.session.inspect(script: document.text, at: range.lowerBound),
      found.range.lowerBound > 0, document.bytes[found.range.lowerBound - 1] == UInt8(ascii: "."),
      !found.lines.isEmpty, found.lines.allSatisfy({ $0.signature.contains(":\(found.name)(") })
    else { return [] }
    let point = found.range.lowerBound - 1..<found.range.lowerBound
    return [quickFix("Write :\(found.name)", edit(point, ":"))]
  }

  /// `%@` and an argument in place of each text that is put between quotes: `NSPredicate(format: "place == '\\(name)'")`.
  func placeholders(_ workspace: Workspace, _ documents: [TextDocument]) -> [JSON] {
    guard document.language == .swift,
      let site = workspace.site(at: range.lowerBound, in: document, among: documents),
      case .format(let format) = site.subject, !format.inserted.isEmpty, !format.isListOfObjects,
      let arguments = format.arguments, arguments.count == PlaceholderKinds(format.format.text)?.all.count,
      let texts = texts(of: arguments)
    else { return [] }
    let literal = format.format.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    guard !literal.contains(where: \.isNewline) else { return [] }
    let call = "NSPredicate(format: \"\(literal)\", \(texts.joined(separator: ", ")))"
    return [quickFix("Give values with %@", edit(site.range, call))]
  }

  /// The arguments as they are written; nil where one of them may be no text, because it is put into the format without quotes.
  private func texts(of arguments: [SiteArgument]) -> [String]? {
    var texts: [String] = []
    for argument in arguments {
      guard argument.isInserted else {
        texts.append(String(decoding: document.bytes[argument.range], as: UTF8.self))
        continue
      }
      let before = document.bytes[..<argument.range.lowerBound]
      let isQuoted = before.last == UInt8(ascii: "'") || before.suffix(2).elementsEqual("\\\"".utf8)
      // A long value is cut.
      guard isQuoted, !argument.source.hasSuffix("...") else { return nil }
      texts.append(argument.source)
    }
    return texts
  }
}
