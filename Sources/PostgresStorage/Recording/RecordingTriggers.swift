import Layouts
import Modeling
import Records

/// The triggers that record what is written to a model's tables, once a statement for all its rows.
///
/// A change of a row says which properties have other values, and what its references held. Rows that no statement touched but
/// by an order, or by what is derived, are recorded as touched. Who writes through a store of ours leaves the rows themselves,
/// too, from which a save is undone.
struct RecordingTriggers {
  /// A table with the function that its triggers call.
  private struct Subject {
    let table: String
    let body: String
    /// Whether single rows are told.
    let tellsRows: Bool
  }

  /// The most rows of one statement that are recorded one by one where no history is kept: more are read again anyway.
  static let mostRows = 20_000
  /// The most rows of one statement that can be undone.
  static let mostImages = 50_000
  /// The beginning of the names of the functions.
  static let prefix = "_perilune_on_"
  private static let events = ["insert", "update", "delete", "truncate"]

  private let books: RecordingBooks
  private let model: Model
  private let layouts: [Entity: EntityLayout]
  private let tables: PostgresTables
  private let names: HistoryNames
  /// Whether a history is kept, so that every row counts.
  private let keepsAll: Bool
  private var subjects: [Subject] = []
  /// The tables whose rows are recorded one by one, by name in lower case.
  private(set) var tableNames: Set<String> = []

  /// Plans the triggers of all tables of a model.
  init(
    _ books: RecordingBooks, _ model: Model, _ layouts: [Entity: EntityLayout], _ tables: PostgresTables,
    _ names: HistoryNames
  ) {
    (self.books, self.model, self.layouts) = (books, model, layouts)
    (self.tables, self.names, keepsAll) = (tables, names, names.isOn)
    var known: Set<String> = []
    let roots = model.entities.filter { $0.parent == nil }
    for root in roots {
      guard let layout = layouts[root], !tables[layout.table].isView, known.insert(layout.table).inserted else {
        continue
      }
      if hasKey(root, layout) {
        add(layout.table, body(of: root, layout), tellsRows: true)
      } else {
        add(layout.table, wholeTable(number(of: root).map { "\($0)" } ?? "NULL", layout.table), tellsRows: false)
      }
    }
    for (join, sides) in joins() where known.insert(join.table).inserted {
      add(join.table, body(of: join, sides), tellsRows: true)
    }
  }

  private mutating func add(_ table: String, _ body: String, tellsRows: Bool) {
    subjects.append(Subject(table: table, body: body, tellsRows: tellsRows))
    if tellsRows { tableNames.insert(table.lowercased()) }
  }

  /// Whether rows are known by columns that are unique.
  private func hasKey(_ entity: Entity, _ layout: EntityLayout) -> Bool {
    if case .rowID = layout.key { return true }
    return !entity.isReadOnly
  }

  /// The statements that make all functions and triggers.
  var statements: [String] {
    subjects.enumerated().flatMap { index, subject -> [String] in
      let function = books.qualified(Self.prefix + "\(index + 1)")
      let table = qualified(subject.table)
      let made = """
        CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS $perilune$
        DECLARE
          _tx xid8;
          _count bigint := 0;
          _writer text := nullif(current_setting('\(RecordingBooks.writerSetting)', true), '');
        BEGIN
        \(subject.body)
          RETURN NULL;
        END $perilune$
        """
      let triggers = Self.events.map { event in
        let rows =
          !subject.tellsRows
          ? ""
          : ["insert": " REFERENCING NEW TABLE AS new_rows", "delete": " REFERENCING OLD TABLE AS old_rows"][event]
            ?? (event == "update" ? " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows" : "")
        return """
          CREATE TRIGGER \(quoted("_perilune_" + event)) AFTER \(event.uppercased()) ON \(table)\(rows)
          FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
          """
      }
      return [made] + triggers
    }
  }

  /// A table's name with its schema: what a trigger does must not depend on where others search.
  private func qualified(_ table: String) -> String {
    guard let schema = tables[table].schema else { return books.qualified(table) }
    return "\(quoted(schema)).\(quoted(tables[table].name))"
  }

  /// How many triggers there are.
  var count: Int { subjects.count * Self.events.count }

  // MARK: Rows of objects

  private func body(of root: Entity, _ layout: EntityLayout) -> String {
    let key = keyColumns(layout)
    let whole = number(of: root).map { "\($0)" } ?? "NULL"
    let recorded = recordedColumns(of: root)
    let references = referenceColumns(of: root, layout)
    let form = { (name: String) in tables.form(layout.table, name) }
    func differs(_ name: String) -> String {
      let (old, new) = (form(name).comparable("o.\(quoted(name))"), form(name).comparable("r.\(quoted(name))"))
      return "\(old) IS DISTINCT FROM \(new)"
    }
    let others = otherColumns(of: layout).subtracting(recorded.map(\.column))
    let formerOfDeleted = object(references.map { ($0, "o.\(quoted($0))::text") })
    let formerOfUpdated = object(
      references.map { ($0, "CASE WHEN \(differs($0)) THEN o.\(quoted($0))::text END") })
    let bits = self.bits(recorded.map { ($0.position, differs($0.column)) })
    let none = self.bits(recorded.map { ($0.position, "false") }, isConstant: true)
    let touched = others.isEmpty ? "false" : others.sorted().map(differs).joined(separator: " OR ")
    let link = layout.key.columns.map { "o.\(quoted($0)) = r.\(quoted($0))" }.joined(separator: " AND ")
    let (oldKey, newKey) = ("o.\(quoted(layout.key.columns[0]))", "r.\(quoted(layout.key.columns[0]))")
    let columns = "(tx, entity, key, names, kind, properties, former, tombstone)"
    let table = quotedText(layout.table)
    return """
        IF TG_OP = 'INSERT' THEN
          SELECT count(*) INTO _count FROM new_rows;
        ELSIF TG_OP <> 'TRUNCATE' THEN
          SELECT count(*) INTO _count FROM old_rows;
        END IF;
        IF _count = 0 AND TG_OP <> 'TRUNCATE' THEN RETURN NULL; END IF;
        _tx := \(books.note)();
        IF TG_OP = 'TRUNCATE' OR _count > \(Self.mostRows) AND \(!keepsAll) THEN
          INSERT INTO \(books.change) (tx, entity, kind) VALUES (_tx, \(whole), \(RecordingBooks.Kind.wholeTable));
        ELSIF TG_OP = 'INSERT' THEN
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, \(number(of: root, "r")), \(key.number("r")), \(key.names("r")), \(HistoryTables.Kind.insert),
              NULL, NULL, NULL FROM new_rows AS r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, \(number(of: root, "o")), \(key.number("o")), \(key.names("o")), \(HistoryTables.Kind.delete),
              NULL, \(formerOfDeleted), \(tombstone(of: root, layout)) FROM old_rows AS o;
        ELSE
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, d.entity, d.key, d.names,
              CASE WHEN d.kind = \(HistoryTables.Kind.update) AND d.bits = \(none) THEN \(HistoryTables.Kind.touch) ELSE d.kind END,
              CASE WHEN d.kind = \(HistoryTables.Kind.update) THEN d.bits END, d.former, NULL
            FROM (
              SELECT CASE WHEN \(newKey) IS NULL THEN \(number(of: root, "o")) ELSE \(number(of: root, "r")) END AS entity,
                CASE WHEN \(newKey) IS NULL THEN \(key.number("o")) ELSE \(key.number("r")) END AS key,
                CASE WHEN \(newKey) IS NULL THEN \(key.names("o")) ELSE \(key.names("r")) END AS names,
                CASE WHEN \(oldKey) IS NULL THEN \(HistoryTables.Kind.insert)
                  WHEN \(newKey) IS NULL THEN \(HistoryTables.Kind.delete) ELSE \(HistoryTables.Kind.update) END AS kind,
                \(bits) AS bits, \(formerOfUpdated) AS former, (\(touched)) AS touched
              FROM old_rows AS o FULL JOIN new_rows AS r ON \(link)
            ) AS d
            WHERE d.kind <> \(HistoryTables.Kind.update) OR d.bits <> \(none) OR d.touched;
      \(orders(of: root, layout, link))
        END IF;
      \(images(table, link, oldKey, newKey))
      """
  }

  /// Keeps the rows themselves, for a writer whose save can be undone.
  private func images(_ table: String, _ link: String, _ oldKey: String, _ newKey: String) -> String {
    """
        IF _writer IS NULL THEN RETURN NULL; END IF;
        IF TG_OP = 'TRUNCATE' OR _count > \(Self.mostImages) THEN
          INSERT INTO \(books.image) (tx) VALUES (_tx);
        ELSIF TG_OP = 'INSERT' THEN
          INSERT INTO \(books.image) (tx, relation, new) SELECT _tx, \(table), r::text FROM new_rows AS r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO \(books.image) (tx, relation, old) SELECT _tx, \(table), o::text FROM old_rows AS o;
        ELSE
          INSERT INTO \(books.image) (tx, relation, old, new)
            SELECT _tx, \(table), CASE WHEN \(oldKey) IS NOT NULL THEN o::text END,
              CASE WHEN \(newKey) IS NOT NULL THEN r::text END
            FROM old_rows AS o FULL JOIN new_rows AS r ON \(link) WHERE o::text IS DISTINCT FROM r::text;
        END IF;
    """
  }

  /// The writable columns of a table, each with the bit of its property.
  private func recordedColumns(of root: Entity) -> [(column: String, position: Int)] {
    root.family.flatMap { entity -> [(column: String, position: Int)] in
      guard let layout = layouts[entity] else { return [] }
      return own(entity).flatMap { index -> [(column: String, position: Int)] in
        guard entity.properties[index].attribute?.isDerived != true,
          let position = names.position(of: index, in: entity)
        else { return [] }
        return layout.properties[index].ownColumns.map { (layout.columns[$0].name, position) }
      }
    }
  }

  /// The columns of a table besides its key and what says of which entity a row is.
  private func otherColumns(of layout: EntityLayout) -> Set<String> {
    var columns = Set(tables[layout.table].forms.keys).subtracting(layout.key.columns)
    if !layout.columns.contains(where: { $0.name == ModelLayout.discriminator }) {
      columns.remove(ModelLayout.discriminator)
    }
    return columns
  }

  /// The columns that refer to other rows, or to which others refer.
  private func referenceColumns(of root: Entity, _ layout: EntityLayout) -> [String] {
    var found: Set<String> = []
    for entity in model.entities {
      guard let other = layouts[entity] else { continue }
      for index in own(entity) {
        switch other.properties[index] {
        case .reference(let columns, let target):
          if entity.root === root { found.formUnion(columns.map { other.columns[$0].name }) }
          if case .columns(let names) = target, entity.destination(at: index).root === root { found.formUnion(names) }
        case .join(let join):
          if case .columns(let names) = join.ownerTarget, entity.root === root { found.formUnion(names) }
          if case .columns(let names) = join.memberTarget, entity.destination(at: index).root === root {
            found.formUnion(names)
          }
          if join.isInMembers, join.table == layout.table { found.formUnion(join.ownerColumns) }
        case .column, .inverse, .none: break
        }
      }
    }
    return found.sorted()
  }

  private func tombstone(of root: Entity, _ layout: EntityLayout) -> String {
    let kept = root.family.flatMap { entity -> [(String, String)] in
      own(entity).compactMap { index -> (String, String)? in
        guard entity.properties[index].attribute?.preservesValueInHistoryOnDeletion == true,
          let own = layouts[entity], case .column(let column) = own.properties[index],
          let position = names.position(of: index, in: entity)
        else { return nil }
        return ("\(position)", "o.\(quoted(own.columns[column].name))")
      }
    }
    return object(kept)
  }

  /// The place in an ordered to-many is kept in the member's row, but is a change of the owner.
  private func orders(of root: Entity, _ layout: EntityLayout, _ link: String) -> String {
    var statements = ""
    for entity in model.entities {
      guard let owner = layouts[entity] else { continue }
      for index in own(entity) {
        guard case .inverse(let back, let order?) = owner.properties[index],
          entity.destination(at: index).root === root, let members = layouts[entity.destination(at: index)],
          case .reference(let columns, .key) = members.properties[back],
          let position = names.position(of: index, in: entity)
        else { continue }
        let reference = quoted(members.columns[columns[0]].name)
        statements += """
              INSERT INTO \(books.change) (tx, entity, key, kind, properties)
                SELECT _tx, \(number(of: entity.root, "owner")), \(keyColumns(owner).number("owner")), \(HistoryTables.Kind.update),
                  \(quotedText(word(position)))
                FROM old_rows AS o JOIN new_rows AS r ON \(link)
                JOIN \(qualified(owner.table)) AS owner ON owner.\(quoted(owner.key.columns[0])) = r.\(reference)
                WHERE o.\(quoted(order)) IS DISTINCT FROM r.\(quoted(order))
                  AND o.\(reference) IS NOT DISTINCT FROM r.\(reference);

          """
      }
    }
    return statements
  }

  // MARK: Pairs

  /// A side of a table of pairs: the relationship, the columns of its owner, and what these hold.
  private struct Side {
    let entity: Entity
    let index: Int
    let columns: [String]
    let target: ReferenceTarget
  }

  private func joins() -> [(JoinLayout, [Side])] {
    var found: [(join: JoinLayout, sides: [Side])] = []
    let own = Set(layouts.values.map(\.table))
    for entity in model.entities {
      guard let layout = layouts[entity] else { continue }
      for index in self.own(entity) {
        guard case .join(let join) = layout.properties[index], !own.contains(join.table) else { continue }
        let side = Side(entity: entity, index: index, columns: join.ownerColumns, target: join.ownerTarget)
        if let place = found.firstIndex(where: { $0.join.table == join.table }) {
          found[place].sides.append(side)
        } else {
          found.append((join, [side]))
        }
      }
    }
    return found.map { ($0.join, $0.sides) }
  }

  private func body(of join: JoinLayout, _ sides: [Side]) -> String {
    let ends = join.ownerColumns + join.memberColumns
    let table = quotedText(join.table)
    let kinds = RecordingBooks.Kind.self
    func pairs(_ kind: Int64, _ rows: String, _ where: String = "") -> String {
      let pair = ([("", table)] + ends.map { ($0, "p.\(quoted($0))::text") }).map { "\(quotedText($0.0)), \($0.1)" }
      return """
              INSERT INTO \(books.change) (tx, kind, former)
                SELECT _tx, \(kind), jsonb_build_object(\(pair.joined(separator: ", "))) FROM \(rows) AS p\(`where`);

        """
    }
    func owners(_ rows: String) -> String {
      sides.compactMap { side -> String? in
        guard let layout = layouts[side.entity], let position = names.position(of: side.index, in: side.entity) else {
          return nil
        }
        let link = zip(side.columns, side.target.columns(layout)).map { "owner.\(quoted($1)) = p.\(quoted($0))" }
        let key = keyColumns(layout)
        return """
              INSERT INTO \(books.change) (tx, entity, key, names, kind, properties)
                SELECT _tx, \(number(of: side.entity.root, "owner")), \(key.number("owner")), \(key.names("owner")),
                  \(HistoryTables.Kind.update), \(quotedText(word(position)))
                FROM \(rows) AS p JOIN \(qualified(layout.table)) AS owner ON \(link.joined(separator: " AND "));

          """
      }.joined()
    }
    let link = ends.map { "o.\(quoted($0)) IS NOT DISTINCT FROM r.\(quoted($0))" }.joined(separator: " AND ")
    let changed = "(SELECT * FROM new_rows EXCEPT ALL SELECT * FROM old_rows)"
    let former = "(SELECT * FROM old_rows EXCEPT ALL SELECT * FROM new_rows)"
    return """
        IF TG_OP = 'INSERT' THEN
          SELECT count(*) INTO _count FROM new_rows;
        ELSIF TG_OP <> 'TRUNCATE' THEN
          SELECT count(*) INTO _count FROM old_rows;
        END IF;
        IF _count = 0 AND TG_OP <> 'TRUNCATE' THEN RETURN NULL; END IF;
        _tx := \(books.note)();
        IF TG_OP = 'TRUNCATE' OR _count > \(Self.mostRows) AND \(!keepsAll) THEN
          INSERT INTO \(books.change) (tx, kind, former)
            VALUES (_tx, \(kinds.wholeTable), jsonb_build_object('', \(table)));
        ELSIF TG_OP = 'INSERT' THEN
      \(pairs(kinds.pair, "new_rows"))\(owners("new_rows"))
        ELSIF TG_OP = 'DELETE' THEN
      \(pairs(kinds.formerPair, "old_rows"))\(owners("old_rows"))
        ELSE
      \(pairs(kinds.formerPair, former))\(pairs(kinds.pair, changed))\(owners(former))\(owners(changed))
        END IF;
        IF _writer IS NULL THEN RETURN NULL; END IF;
        IF TG_OP = 'TRUNCATE' OR _count > \(Self.mostImages) THEN
          INSERT INTO \(books.image) (tx) VALUES (_tx);
        ELSIF TG_OP = 'INSERT' THEN
          INSERT INTO \(books.image) (tx, relation, new) SELECT _tx, \(table), r::text FROM new_rows AS r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO \(books.image) (tx, relation, old) SELECT _tx, \(table), o::text FROM old_rows AS o;
        ELSE
          INSERT INTO \(books.image) (tx, relation, old, new)
            SELECT _tx, \(table), CASE WHEN o.\(quoted(ends[0])) IS NOT NULL THEN o::text END,
              CASE WHEN r.\(quoted(ends[0])) IS NOT NULL THEN r::text END
            FROM old_rows AS o FULL JOIN new_rows AS r ON \(link.replacing(" IS NOT DISTINCT FROM ", with: " = "))
            WHERE o::text IS DISTINCT FROM r::text;
        END IF;
      """
  }

  /// What is recorded of a table whose rows cannot be told apart.
  private func wholeTable(_ number: String, _ table: String) -> String {
    """
        _tx := \(books.note)();
        INSERT INTO \(books.change) (tx, entity, kind, former)
          VALUES (_tx, \(number), \(RecordingBooks.Kind.wholeTable), jsonb_build_object('', \(quotedText(table))));
        IF _writer IS NOT NULL THEN INSERT INTO \(books.image) (tx) VALUES (_tx); END IF;
    """
  }

  // MARK: Expressions

  private func own(_ entity: Entity) -> Range<Int> { (entity.parent?.properties.count ?? 0)..<entity.properties.count }

  private func number(of entity: Entity) -> Int? { names.number(of: entity) }

  /// The number of the entity that a row is of.
  private func number(of root: Entity, _ row: String) -> String {
    func number(_ entity: Entity) -> String { names.number(of: entity).map { "\($0)" } ?? "NULL" }
    guard let column = layouts[root]?.discriminator?.column, !root.subentities.isEmpty else { return number(root) }
    let cases = root.family.map { "WHEN \(quotedText($0.name)) THEN \(number($0))" }.joined(separator: " ")
    return "CASE \(row).\(quoted(column)) \(cases) ELSE \(number(root)) END"
  }

  /// How rows of a table are named: by a number, or by the texts of several columns.
  private struct Key {
    let layout: EntityLayout
    func number(_ row: String) -> String {
      layout.key.integerName.map { "\(row).\(quoted($0))::bigint" } ?? "NULL::bigint"
    }
    func names(_ row: String) -> String {
      if layout.key.integerName != nil { return "NULL::jsonb" }
      return "jsonb_build_array(\(layout.key.columns.map { "\(row).\(quoted($0))::text" }.joined(separator: ", ")))"
    }
  }

  private func keyColumns(_ layout: EntityLayout) -> Key { Key(layout: layout) }

  /// A JSON object without nulls; functions take a hundred arguments at most.
  private func object(_ entries: [(name: String, value: String)]) -> String {
    if entries.isEmpty { return "NULL::jsonb" }
    let parts = stride(from: 0, to: entries.count, by: 40).map { start in
      let part = entries[start..<min(start + 40, entries.count)].map { "\(quotedText($0.name)), \($0.value)" }
      return "jsonb_strip_nulls(jsonb_build_object(\(part.joined(separator: ", "))))"
    }
    return parts.joined(separator: " || ")
  }

  /// The bit of one property, as a list of words.
  private func word(_ position: Int) -> String {
    let words = position / HistoryTriggers.wordLength
    return ([String](repeating: "0", count: words) + ["\(Int64(1) << Int64(position % HistoryTriggers.wordLength))"])
      .joined(separator: ",")
  }

  /// The changed properties as a text: words of bits, separated by commas.
  private func bits(_ conditions: [(position: Int, condition: String)], isConstant: Bool = false) -> String {
    let words = (conditions.map(\.position).max() ?? 0) / HistoryTriggers.wordLength
    if isConstant { return quotedText([String](repeating: "0", count: words + 1).joined(separator: ",")) }
    let parts = (0...words).map { word -> String in
      let terms = conditions.filter { $0.position / HistoryTriggers.wordLength == word }.map { position, condition in
        "CASE WHEN \(condition) THEN \(Int64(1) << Int64(position % HistoryTriggers.wordLength))::bigint ELSE 0 END"
      }
      return terms.isEmpty ? "'0'" : "(\(terms.joined(separator: " | ")))::text"
    }
    return parts.joined(separator: " || ',' || ")
  }
}

extension ColumnForm {
  /// A column in a form that can be compared with `IS DISTINCT FROM`, whatever operators its type has.
  fileprivate func comparable(_ column: String) -> String {
    switch kind {
    case .label, .foreign: "\(column)::text"
    case .json: typeName == "jsonb" ? column : "\(column)::text"
    default: column
    }
  }
}

/// A text as a constant of SQL.
func quotedText(_ text: String) -> String {
  // A backslash is one of the characters only where the text says so itself.
  "E'" + text.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
}
