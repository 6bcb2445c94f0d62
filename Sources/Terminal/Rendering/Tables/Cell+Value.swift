package import Modeling

extension Cell {
  /// A value of the engine as a cell.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .decimal(let number): self = .decimal(number.canonicalText)
    case .string(let text), .url(let text): self = .text(text)
    case .date(let date): self = .date(date.iso8601)
    case .uuid: self = .text(value.displayText)
    case .data(let bytes): self = .blob(Blob(bytes))
    case .json(let json): self = .json(json.text)
    case .object(let id): self = .reference(label: id.description)
    case .list: self = .text(value.displayText)
    }
  }
}
