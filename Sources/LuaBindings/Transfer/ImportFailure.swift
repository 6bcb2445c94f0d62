internal import Foundation
internal import Modeling
internal import Storage
internal import Transfer

/// Why a file was not imported, with its name and the place in it; nothing of it is in the store then.
struct ImportFailure: ReportedError {
  var path: String
  var error: any Error
  /// The names of the file's columns.
  var names: [String] = []

  var report: ErrorReport {
    switch error {
    case let error as ImportFailure: return error.report
    case let error as ImportError: return report(error)
    case let error as DelimitedError:
      if case .unreadable(let number) = error.fact { return unreadable(number) }
      return report(ErrorReport(error).message, line: error.place.line, column: error.place.column)
    case let error as JSONRowsError:
      if case .unreadable(let number) = error.fact { return unreadable(number) }
      return report(ErrorReport(error).message, line: error.place.line, column: error.place.column)
    default: return ErrorReport(error)
    }
  }

  private func unreadable(_ number: Int32) -> ErrorReport {
    ErrorReport("file", "'\(path)' cannot be read: \(String(cString: strerror(number)))", exitStatus: 74)
  }

  private func report(_ error: ImportError) -> ErrorReport {
    let column = error.field.flatMap { names.indices.contains($0) ? names[$0] : nil }
    var property: String?
    var message: String
    switch error.fact {
    case .value(let error):
      property = error.property
      message = ErrorReport(error).message
    case .violation(let violation):
      property = violation.property
      message = "\(violation.entity): \(violation.sentence)"
    case .noSuchObject(let entity, let property, let value):
      message = "there is no \(entity) with \(property) \(value.quotedForLua)"
    case .store(let error): message = ErrorReport(error).message
    case .missingProperty(let entity, let property):
      message = "no column goes to \(entity).\(property), which must have a value"
    case .notImportable(let entity, let property): message = "\(entity).\(property) cannot be imported"
    }
    // Most messages name the property; the column may be called otherwise.
    if let column, column != property { message = "column \(column): \(message)" }
    return report(message, line: error.place?.line, column: error.place?.column)
  }

  private func report(_ message: String, line: Int?, column: Int?) -> ErrorReport {
    let place = [line, column].compactMap { $0.map(String.init) }.joined(separator: ":")
    let fields = [("file", path), ("line", line.map(String.init)), ("column", column.map(String.init))]
    return ErrorReport(
      "import", "\(path)\(place.isEmpty ? "" : ":" + place): \(message)",
      details: [.init(message, fields: fields.compactMap { name, value in value.map { (name, $0) } })], exitStatus: 65)
  }
}
