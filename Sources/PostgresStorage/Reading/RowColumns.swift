import Layouts
import Modeling
import Stores

/// The columns of a SELECT of whole rows: the key's, the discriminator, and those of the entity and its descendants, each once.
struct RowColumns {
  /// Where the columns of an entity's layout are in the row, and their forms.
  struct Member {
    let entity: Entity
    let name: String?
    let places: [Int?]
    let forms: [ColumnForm]
  }

  /// The selected expressions, at an alias.
  let columns: [PostgresSQL]
  private let key: KeyColumns
  let discriminator: Int?
  let members: [Member]
  let interner: KeyInterner?

  /// - Parameter properties: the names of the properties whose columns are read; nil for all. Other columns are null.
  init(_ entity: Entity, _ place: PostgresPlace, _ store: PostgresStore, properties: Set<String>? = nil) {
    let layout = store.layout(of: entity)
    let table = layout.table
    var columns: [PostgresSQL] = []
    key = KeyColumns(place, store, from: 0)
    columns += key.columns
    if let name = layout.discriminator?.column {
      discriminator = columns.count
      columns.append(place.column(name))
    } else {
      discriminator = nil
    }
    var places: [String: Int] = [:]
    var members: [Member] = []
    for member in layout.discriminator == nil ? [entity] : entity.family {
      let own = store.layout(of: member)
      var name: String?
      if case .string(let text)? = own.discriminator?.value { name = text }
      let forms = own.columns.map { store.tables.form(table, $0.name) }
      let read = properties.map { own.columns(of: $0, in: member) }
      let found = own.columns.indices.map { index -> Int? in
        let (name, form) = (own.columns[index].name, forms[index])
        if read?.contains(index) == false { return nil }
        if let known = places[name] { return known }
        let position = columns.count
        columns.append(PostgresSQL(raw: form.selected("\(place.alias).\(quoted(name))")))
        places[name] = position
        return position
      }
      members.append(Member(entity: member, name: name, places: found, forms: forms))
    }
    self.columns = columns
    self.members = members
    interner = store.interner(of: entity)
  }

  /// The key of the row that a source stands on.
  func key(_ source: PostgresRowSource) -> Int64 { key.key(source) }

  /// The index in `members` of the row's entity; the first if no entity has its name.
  func member(_ source: PostgresRowSource) -> Int {
    guard let discriminator, members.count > 1, let bytes = source.bytes(discriminator) else { return 0 }
    for (index, member) in members.enumerated() {
      if let name = member.name, bytes.elementsEqual(name.utf8) { return index }
    }
    return 0
  }
}

extension EntityLayout {
  /// The columns of the properties with some names.
  fileprivate func columns(of names: Set<String>, in entity: Entity) -> Set<Int> {
    Set(names.compactMap(entity.index).flatMap { properties[$0].ownColumns })
  }
}

extension Value {
  /// The value of a key's column, as it is stored.
  init(keyColumn value: ColumnValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .int(number)
    case .real(let number): self = .double(number)
    case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): self = .data([UInt8](bytes))
    }
  }
}
