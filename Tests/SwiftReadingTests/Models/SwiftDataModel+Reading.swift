import SwiftParsing
import SwiftReading
import Testing

extension SwiftDataModel {
  /// The model that printed source is read as; a mistake is recorded with its line.
  static func read(_ source: String, at location: SourceLocation = #_sourceLocation) -> SwiftDataModel? {
    do throws(SwiftReadingError) {
      return try SwiftDataModel(swift: source)
    } catch {
      for issue in error.issues {
        let place = issue.origin?.range.lowerBound ?? 0
        let bytes = Array(source.utf8)
        let line = bytes[..<place].split(separator: 0x0A, omittingEmptySubsequences: false).count - 1
        Issue.record(
          "\(issue.fact): \(source.split(separator: "\n", omittingEmptySubsequences: false)[line])",
          sourceLocation: location)
      }
      return nil
    }
  }
}

extension SwiftReadingError {
  /// The facts of the mistakes in a text, with what stands at their places.
  static func mistakes(_ text: String) -> [(SwiftReadingError.Fact, String)] {
    do throws(SwiftReadingError) {
      _ = try SwiftDataModel(swift: text)
      return []
    } catch {
      #expect(error.subject == .model)
      return error.issues.map { issue in
        (issue.fact, issue.origin.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } ?? "nowhere")
      }
    }
  }
}
