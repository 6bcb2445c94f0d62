internal import Modeling

/// The result of one test of a spec.
package struct SpecResult {
  let file: String
  package let name: String
  let seconds: Double
  /// Why it failed; nil for one that passed.
  package let failure: Failure?

  /// A failure in words, with its place.
  package struct Failure {
    package let message: String
    let line: Int?
    package let place: String

    package init(message: String, line: Int?, place: String) {
      (self.message, self.line, self.place) = (message, line, place)
    }
  }

  package init(_ file: String, _ name: String, seconds: Double, failure: Failure?) {
    self.file = file
    self.name = name
    self.seconds = seconds
    self.failure = failure
  }
}

extension SpecResult {
  /// The result as a line of the Test Anything Protocol, with a comment of why it failed.
  package func tap(number: Int) -> String {
    let name = "\(file): \(name)".replacing("#", with: "\\#").replacing("\n", with: " ")
    var lines = ["\(failure == nil ? "ok" : "not ok") \(number) - \(name)"]
    if let failure {
      let text = "\(failure.place): \(failure.message)"
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension [SpecResult] {
  /// The results as JUnit's XML, a suite for each file.
  package var junit: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(Self.counts(self))>"]
    var files: [String] = []
    for result in self where files.last != result.file { files.append(result.file) }
    for file in files {
      let results = filter { $0.file == file }
      lines.append("  <testsuite name=\"\(Self.escaped(file))\"\(Self.counts(results))>")
      for result in results {
        let head =
          "    <testcase classname=\"\(Self.escaped(file))\" name=\"\(Self.escaped(result.name))\" "
          + "time=\"\(Self.seconds(result.seconds))\""
        guard let failure = result.failure else {
          lines.append(head + "/>")
          continue
        }
        lines.append(head + ">")
        let text = Self.escaped("\(failure.place): \(failure.message)")
        lines.append("      <failure message=\"\(Self.escaped(failure.message))\">\(text)</failure>")
        lines.append("    </testcase>")
      }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func counts(_ results: [SpecResult]) -> String {
    let failures = results.count { $0.failure != nil }
    return
      " tests=\"\(results.count)\" failures=\"\(failures)\" time=\"\(seconds(results.reduce(0) { $0 + $1.seconds }))\""
  }

  private static func seconds(_ value: Double) -> String {
    let thousandths = Int(saturating: (value * 1000).rounded())
    return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
  }

  private static func escaped(_ text: String) -> String {
    let plain = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\t": "&#9;"
      // XML 1.0 has no other control characters, not even escaped.
      case _ where scalar.actsOnTerminals || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "\u{FFFD}"
      default: String(scalar)
      }
    }
    return plain.joined()
  }
}
