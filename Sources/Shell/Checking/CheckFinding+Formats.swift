internal import Modeling
internal import Session
internal import SourceChecking

extension CheckFinding {
  /// The finding as an object of JSON.
  var json: JSON {
    .object([
      "file": .string(file), "line": .int(Int64(line)), "kind": .string(rule), "severity": .string(severity.rawValue),
      "column": columns.isEmpty ? .null : .int(Int64(columns.lowerBound + 1)),
      "endColumn": columns.isEmpty ? .null : .int(Int64(columns.upperBound + 1)), "message": .string(message),
    ])
  }

  /// The finding as a command of GitHub Actions: `::error file=…,line=…,col=…::…`.
  var githubCommand: String {
    let kind = severity == .note ? "notice" : severity.rawValue
    var properties = ["file=\(Self.escaped(file, isProperty: true))", "line=\(line)"]
    if !columns.isEmpty {
      properties += ["col=\(columnsInUTF16.lowerBound + 1)", "endColumn=\(columnsInUTF16.upperBound + 1)"]
    }
    properties.append("title=\(Self.escaped(rule, isProperty: true))")
    return "::\(kind) \(properties.joined(separator: ","))::\(Self.escaped(message, isProperty: false))"
  }

  /// A text in which the signs of a command mean themselves.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: SARIF

  /// The findings as a document of SARIF.
  static func sarif(_ findings: [CheckFinding]) -> JSON {
    let rules = Set(findings.map(\.rule)).sorted()
    let driver: JSON = .object([
      "name": .string("perilune"), "version": .string(PeriluneVersion.text),
      "rules": .array(rules.map { .object(["id": .string($0)]) }),
    ])
    let run: JSON = .object([
      "tool": .object(["driver": driver]), "columnKind": .string("utf16CodeUnits"),
      "results": .array(findings.map { $0.sarifResult(rules) }),
    ])
    return .object([
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"),
      "runs": .array([run]),
    ])
  }

  private func sarifResult(_ rules: [String]) -> JSON {
    var region: [String: JSON] = ["startLine": .int(Int64(line))]
    if !columns.isEmpty {
      region["startColumn"] = .int(Int64(columnsInUTF16.lowerBound + 1))
      region["endColumn"] = .int(Int64(columnsInUTF16.upperBound + 1))
    }
    let place: JSON = .object([
      "physicalLocation": .object([
        "artifactLocation": .object(["uri": .string(uri)]), "region": .object(region),
      ])
    ])
    return .object([
      "ruleId": .string(rule), "ruleIndex": .int(Int64(rules.firstIndex(of: rule) ?? 0)),
      "level": .string(severity.rawValue), "message": .object(["text": .string(message)]), "locations": .array([place]),
    ])
  }

  /// The file as a reference of a URI.
  private var uri: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF")
    return file.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
