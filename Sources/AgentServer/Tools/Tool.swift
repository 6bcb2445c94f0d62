internal import Modeling

/// A tool: what a client lists, and what a call of it does.
///
/// To add one, write it in a file of its own and list it in `AgentServer.tools`.
struct Tool {
  let name: String
  let title: String
  let summary: String
  let parameters: [ToolParameter]
  /// Whether it changes the store.
  var isWriting = false
  /// Answers a call.
  let answer: (ToolArguments) throws -> ToolAnswer

  /// The tool as a client lists it.
  var json: JSON {
    var schema: [String: JSON] = [
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object(Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.schema) })),
    ]
    let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object([
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "inputSchema": .object(schema),
      "annotations": .object([
        "readOnlyHint": .bool(!isWriting), "destructiveHint": .bool(isWriting), "idempotentHint": .bool(!isWriting),
        "openWorldHint": .bool(false),
      ]),
    ])
  }
}

/// A parameter of a tool.
struct ToolParameter {
  /// What its value must be.
  enum Kind {
    case text
    case integer(ClosedRange<Int>)
    case flag
    case texts
    /// Values of a predicate's placeholders: plain ones, and dates as `{"date": "2026-01-31"}`.
    case values
    /// Texts by name.
    case namedTexts
    case choice([String])
  }

  let name: String
  let kind: Kind
  let summary: String
  var isRequired = false

  init(_ name: String, _ kind: Kind, _ summary: String = "", isRequired: Bool = false) {
    (self.name, self.kind, self.summary, self.isRequired) = (name, kind, summary, isRequired)
  }

  /// Its JSON Schema.
  var schema: JSON {
    var schema: [String: JSON] = summary.isEmpty ? [:] : ["description": .string(summary)]
    switch kind {
    case .text: schema["type"] = .string("string")
    case .integer(let range):
      schema["type"] = .string("integer")
      (schema["minimum"], schema["maximum"]) = (.int(Int64(range.lowerBound)), .int(Int64(range.upperBound)))
    case .flag: schema["type"] = .string("boolean")
    case .texts: (schema["type"], schema["items"]) = (.string("array"), .object(["type": .string("string")]))
    case .values: schema["type"] = .string("array")
    case .namedTexts:
      schema["type"] = .string("object")
      schema["additionalProperties"] = .object(["type": .string("string")])
    case .choice(let words): schema["enum"] = .array(words.map(JSON.string))
    }
    return .object(schema)
  }

  /// What its value must be, in words.
  var expectation: String {
    switch kind {
    case .text: "a string"
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .texts: "a list of strings"
    case .values: #"a list of values: numbers, strings, booleans, null, {"date": "2026-01-31"}"#
    case .namedTexts: "an object of strings"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    }
  }

  /// Whether a value is what it must be.
  func accepts(_ value: JSON) -> Bool {
    switch (kind, value) {
    case (.text, .string), (.flag, .bool): true
    case (.integer(let range), .int(let number)): Int(exactly: number).map(range.contains) ?? false
    case (.texts, .array(let items)): items.allSatisfy(Self.isText)
    case (.values, .array(let items)): items.allSatisfy(Self.isValue)
    case (.namedTexts, .object(let members)): members.values.allSatisfy(Self.isText)
    case (.choice(let words), .string(let word)): words.contains(word)
    default: false
    }
  }

  private static func isText(_ value: JSON) -> Bool { if case .string = value { true } else { false } }

  private static func isValue(_ value: JSON) -> Bool {
    switch value {
    case .array: false
    case .object(let members): members.count == 1 && members["date"].map(isText) == true
    default: value.isFinite
    }
  }
}
