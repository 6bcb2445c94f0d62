internal import Modeling
internal import SwiftParsing

/// The texts that expressions of a file are known to be without running it: literals, sums of them, `#keyPath`, and
/// constants that are declared in the file.
struct ConstantTexts {
  private let file: SwiftSourceFile

  init(_ file: SwiftSourceFile) { self.file = file }

  /// The text of an expression that stands at or behind a token; nil where it is not known.
  func text(of syntax: SwiftSyntax, at index: Int, depth: Int = 0) -> PlacedText? {
    guard depth < 8 else { return nil }
    switch syntax.unwrapped.kind {
    case .string(let string):
      guard string.interpolation != nil else { return PlacedText(literal: syntax.unwrapped.range, in: file.bytes) }
      return text(interpolated: syntax.unwrapped, string, at: index, depth: depth)
    case .cast(let inner, _, _), .forced(let inner): return text(of: inner, at: index, depth: depth + 1)
    case .infix("+", let operands):
      var whole = PlacedText()
      for operand in operands {
        guard let piece = text(of: operand, at: index, depth: depth + 1) else { return nil }
        whole.append(piece)
      }
      return whole.text.utf8.count < 100_000 ? whole : nil
    case .macro("keyPath", _, let arguments):
      guard let names = arguments.first?.value.memberPath, names.count > 0 else { return nil }
      let key = names.drop { $0.first?.isUppercase == true }.joined(separator: ".")
      return key.isEmpty ? nil : PlacedText(key, standingAt: syntax.range)
    case .name(let name):
      guard let place = Bindings(file).constant(named: name, at: index), let value = file.value(at: place) else {
        return nil
      }
      return text(of: value, at: place, depth: depth + 1)
    case .member(let base?, let name):
      guard let owner = base.memberPath?.last,
        let place = owner == "self" || owner == "Self"
          ? Bindings(file).constant(named: name, at: index) : Bindings(file).constant(named: name, ofType: owner),
        let value = file.value(at: place)
      else { return nil }
      return text(of: value, at: place, depth: depth + 1)
    default: return nil
    }
  }

  /// A text in which all that is interpolated is known.
  private func text(interpolated syntax: SwiftSyntax, _ string: SwiftString, at index: Int, depth: Int) -> PlacedText? {
    guard let parts = PlacedInterpolation(syntax, string, file).parts else { return nil }
    var whole = PlacedText()
    for part in parts {
      switch part {
      case .text(let piece): whole.append(piece)
      case .value(let value, let range):
        guard let known = text(of: value, at: index, depth: depth + 1) else { return nil }
        whole.append(known.text, standingAt: range)
      }
    }
    return whole
  }
}

/// A text with `\(...)` in it, taken apart, with its places.
struct PlacedInterpolation {
  enum Part {
    case text(PlacedText)
    case value(SwiftSyntax, Range<Int>)
  }

  /// The parts; nil where a value cannot be read.
  private(set) var parts: [Part]?

  init(_ syntax: SwiftSyntax, _ string: SwiftString, _ file: SwiftSourceFile) {
    guard let values = SourceInterpolation.parts(of: string, in: file.bytes) else { return }
    let whole = PlacedText(literal: syntax.range, in: file.bytes)
    let mark = Array(String(SwiftString.interpolated).utf8)
    let bytes = Array(whole.text.utf8)
    var found: [Part] = []
    var start = 0
    func piece(_ end: Int) -> Part { .text(whole.part(start..<end)) }
    for case .value(let value, let range) in values {
      guard let place = bytes[start...].indices.first(where: { bytes[$0...].starts(with: mark) }) else { return }
      found += [piece(place), .value(value, range)]
      start = place + mark.count
    }
    parts = found + [piece(bytes.count)]
  }
}
