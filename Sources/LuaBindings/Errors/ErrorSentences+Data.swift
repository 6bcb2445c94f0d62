internal import Modeling

internal import func Foundation.strerror

extension DelimitedError {
  var sentence: String {
    if case .unreadable(let number) = fact { return "the file cannot be read: \(String(cString: strerror(number)))" }
    return "\(place.text): \(mistake)"
  }

  /// The error without its place.
  var mistake: String {
    switch fact {
    case .unreadable: "the file cannot be read"
    case .wrongEncoding(let name): "the text is in \(name), and only UTF-8 is read"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .unterminatedQuote: "the quote is never closed"
    case .strayQuote: "a quote stands within a field that does not begin with one"
    case .textAfterQuote(let text): "'\(text)' follows the closing quote"
    case .wrongFieldCount(let expected, let found): "expected \(ErrorReport.count(expected, "field")), found \(found)"
    case .rowTooLong(let limit): "the row is longer than \(Quantity.grouped(limit)) bytes"
    }
  }
}

extension JSONRowsError {
  var sentence: String {
    if case .unreadable = fact { return mistake }
    return "\(place.text): \(mistake)"
  }

  /// The error without its place.
  var mistake: String {
    switch fact {
    case .unreadable(let number): "the file cannot be read: \(String(cString: strerror(number)))"
    case .json(let fact): fact.sentence
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
    case .rowTooLong(let limit): "the row is longer than \(Quantity.grouped(limit)) bytes"
    }
  }
}

extension JSONError {
  var sentence: String { "\(place.text): \(fact.sentence)" }
}

extension JSONError.Fact {
  fileprivate var sentence: String {
    switch self {
    case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .trailingText(let text): "'\(text)' follows the value"
    case .invalidNumber(let text): "'\(text)' is not a number"
    case .numberOutOfRange(let text): "'\(text)' is out of the range of numbers"
    case .unterminatedString: "the string is not closed"
    case .controlCharacter(let byte): "the control character \(byte) must be escaped"
    case .invalidEscape(let text): "'\(text)' is not an escape sequence"
    case .loneSurrogate(let text): "'\(text)' is half of a surrogate pair"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .tooDeep(let limit): "it is nested more than \(limit) levels deep"
    }
  }
}

extension TextPlace {
  fileprivate var text: String { "line \(line), column \(column)" }
}
