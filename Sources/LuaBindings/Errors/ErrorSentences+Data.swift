internal import Compression
internal import Modeling
internal import Spreadsheets

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
  var sentence: String {
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

extension CompressionError {
  /// The error without its place.
  var mistake: String {
    switch self {
    case .damaged: "the packed bytes are damaged"
    case .noArchive:
      "the file is no ZIP archive, as an .xlsx is; one with a password, or an .xls, must be saved as .xlsx first"
    case .cutOff: "the packed bytes end too early: the file is cut off"
    case .bomb:
      "the file unpacks to more than \(ExpansionLimit.ratio) times its size, beyond \(ExpansionLimit.free >> 20) MB, as bombs do"
    case .unreadable(let number): "the file cannot be read: \(String(cString: strerror(number)))"
    case .unsupported(let feature): "the archive has \(feature), which is not read"
    }
  }
}

extension DocumentError {
  /// The error without its place.
  var mistake: String {
    switch self {
    case .damaged(let reason): "the file is damaged: \(reason)"
    case .tooLarge(let reason): "the file is too large: \(reason)"
    }
  }
}

extension ReaderRun.Failure {
  /// The error without its place.
  var mistake: String {
    switch self {
    case .notStarted(let program, let number): "\(program) cannot be run: \(String(cString: strerror(number)))"
    case .failed(let program, let ending, let words):
      "\(program) ended with \(ending)\(words.isEmpty ? "" : ": \(words)")"
    }
  }
}

extension DataFileError {
  /// The error without its place.
  var mistake: String {
    switch self {
    case .tooLarge(let limit): "the file is larger than the \(limit >> 20) MB that are read as a whole"
    case .damagedPropertyList: "the property list is damaged"
    case .dump(of: .postgres):
      "this is a dump of PostgreSQL: have psql or pg_restore put it into a database, and open that"
    case .dump(of: .mySQL): "this is a dump of MySQL, whose SQL is not that of SQLite"
    case .dumpAmongRows: "a dump makes a store of its own; open it alone"
    case .damagedReaders(let path): "the settings of readers in \(path) cannot be read"
    case .notUTF8: "the text is not UTF-8"
    case .archive: "the property list is an archive of objects; expected an array or a dictionary of values"
    }
  }
}
