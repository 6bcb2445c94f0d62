package import Modeling
package import StoreErrors

extension Statement {
  /// Binds a value in the form of our own stores: dates as seconds since 1970; UUIDs, URLs and JSON as text.
  package func bind(_ value: Value, at index: Int) throws(StoreError) {
    switch value {
    case .null: try bindNull(at: index)
    case .bool(let flag): try bind(flag ? 1 : 0 as Int64, at: index)
    case .int(let number): try bind(number, at: index)
    case .double(let number): try bind(number, at: index)
    case .decimal(let number): try bind(number.canonicalText, at: index)
    case .string(let text), .url(let text): try bind(text, at: index)
    case .date(let date): try bind(date.seconds, at: index)
    case .uuid(let uuid): try bind(uuid.canonicalText, at: index)
    case .data(let bytes): try bind(bytes, at: index)
    case .json(let json): try bind(json.text, at: index)
    case .object(let id): try bind(id.key, at: index)
    case .list: preconditionFailure("a list is no value of a column")
    }
  }
}
