public import Modeling

extension Value {
  /// The constant converted for a comparison with values of a type: a text to bytes, a list or plain value to JSON.
  ///
  ///     Value.string("abc").fitted(to: .data)               // the bytes 61 62 63
  ///     Value.string("abc").fitted(to: .transformable)      // the JSON "abc"
  ///
  /// Scripts have one kind of string for texts and bytes, and one kind of table for lists and JSON. Only the attribute
  /// on the other side decides the meaning of such an argument.
  public func fitted(to type: AttributeType) -> Value {
    switch (type, self) {
    case (.data, .string(let text)): .data(Array(text.utf8))
    case (.data, .list(let values)): .list(values.map { $0.fitted(to: type) })
    case (.transformable, .list), (.transformable, .string), (.transformable, .bool), (.transformable, .int),
      (.transformable, .double):
      JSON(self).map(Value.json) ?? self
    case (.transformable, .data(let bytes)):
      String(validating: bytes, as: UTF8.self).map { .json(.string($0)) } ?? self
    default: self
    }
  }
}

extension Expression {
  /// The expression, if it is a constant, converted for a comparison with values of a type or with the elements of a
  /// collection.
  func fitted(to type: ExpressionType) -> Expression {
    switch type {
    case .value(let type): return constantValue.map { .constant($0.fitted(to: type)) } ?? self
    case .collection(let element): return fitted(to: element)
    default: return self
    }
  }
}
