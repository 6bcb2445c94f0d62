internal import HTTP

/// The fields of a form that a browser sent.
struct SentForm {
  let fields: [HTTPRequest.Field]

  /// - Throws: PageProblem.noForm for a body of another type.
  init(_ request: HTTPRequest) throws {
    guard let fields = request.form else { throw PageProblem.noForm }
    self.fields = fields
  }

  subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The values of a field that is repeated.
  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The content of a file; nil where none was chosen.
  func file(_ name: String) -> [UInt8]? {
    guard let field = fields.first(where: { $0.name == name }) else { return nil }
    return field.data ?? (field.value.isEmpty ? nil : Array(field.value.utf8))
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// The object that the fields `entity` and `key` name, or those with a prefix.
  func object(_ prefix: String = "") -> ObjectAddress {
    ObjectAddress(
      entity: self[prefix + "entity"] ?? "", key: fields.filter { $0.name == prefix + "key" }.map(\.value))
  }

  /// Whether a script sent it, which shows the answer within the page.
  var isPart: Bool { has("part") }
}
