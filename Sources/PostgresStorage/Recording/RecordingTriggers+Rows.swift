import Layouts
import Modeling
import Stores

// The record of objects' rows.
extension RecordingTriggers {
  func body(of root: Entity, _ layout: EntityLayout) -> String {
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
      \(beginning)
        IF TG_OP = 'TRUNCATE' OR _written > \(Self.mostRows) AND \(!keepsAll) THEN
          INSERT INTO \(books.change) (tx, entity, kind) VALUES (_tx, \(whole), \(RecordingBooks.Kind.wholeTable));
        ELSIF TG_OP = 'INSERT' THEN
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, \(number(of: root, "r")), \(key.number("r")), \(key.names("r")), \(RecordedKind.insert),
              NULL, NULL, NULL FROM new_rows AS r;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, \(number(of: root, "o")), \(key.number("o")), \(key.names("o")), \(RecordedKind.delete),
              NULL, \(formerOfDeleted), \(tombstone(of: root, layout)) FROM old_rows AS o;
        ELSE
          INSERT INTO \(books.change) \(columns)
            SELECT _tx, d.entity, d.key, d.names,
              CASE WHEN d.kind = \(RecordedKind.update) AND d.bits = \(none) THEN \(RecordedKind.touch) ELSE d.kind END,
              CASE WHEN d.kind = \(RecordedKind.update) THEN d.bits END, d.former, NULL
            FROM (
              SELECT CASE WHEN \(newKey) IS NULL THEN \(number(of: root, "o")) ELSE \(number(of: root, "r")) END AS entity,
                CASE WHEN \(newKey) IS NULL THEN \(key.number("o")) ELSE \(key.number("r")) END AS key,
                CASE WHEN \(newKey) IS NULL THEN \(key.names("o")) ELSE \(key.names("r")) END AS names,
                CASE WHEN \(oldKey) IS NULL THEN \(RecordedKind.insert)
                  WHEN \(newKey) IS NULL THEN \(RecordedKind.delete) ELSE \(RecordedKind.update) END AS kind,
                \(bits) AS bits, \(formerOfUpdated) AS former, (\(touched)) AS touched
              FROM old_rows AS o FULL JOIN new_rows AS r ON \(link)
            ) AS d
            WHERE d.kind <> \(RecordedKind.update) OR d.bits <> \(none) OR d.touched;
      \(orders(of: root, layout, link))
        END IF;
      \(images(table, link, oldKey, newKey))
      """
  }

  /// Counts the rows of the statement and those of the transaction so far, and records the transaction if there are any.
  var beginning: String {
    """
        IF TG_OP = 'INSERT' THEN
          SELECT count(*) INTO _count FROM new_rows;
        ELSIF TG_OP <> 'TRUNCATE' THEN
          SELECT count(*) INTO _count FROM old_rows;
        END IF;
        IF _count = 0 AND TG_OP <> 'TRUNCATE' THEN RETURN NULL; END IF;
        _tx := \(books.note)();
        -- A setting, unlike a row, costs nothing, ends with the transaction, and goes back with a savepoint.
        _written := coalesce(nullif(current_setting('\(RecordingBooks.writtenSetting)', true), '')::bigint, 0) + _count;
        PERFORM set_config('\(RecordingBooks.writtenSetting)', _written::text, true);
    """
  }

  /// Keeps the rows themselves, for a writer whose save can be undone, except for those that the writer will keep later.
  func images(_ table: String, _ link: String, _ oldKey: String, _ newKey: String) -> String {
    if books.isOfNodes { return "" }
    return """
          IF _writer IS NULL THEN RETURN NULL; END IF;
          IF TG_OP = 'TRUNCATE' OR _written > \(Self.mostImages) THEN
            INSERT INTO \(books.image) (tx) VALUES (_tx);
          ELSIF TG_OP = 'INSERT' AND current_setting('\(RecordingBooks.bulkSetting)', true) = 'on' THEN
            NULL;
          ELSIF TG_OP = 'INSERT' THEN
            INSERT INTO \(books.image) (tx, relation, new) SELECT _tx, \(table), (r.*)::text FROM new_rows AS r;
          ELSIF TG_OP = 'DELETE' THEN
            INSERT INTO \(books.image) (tx, relation, old) SELECT _tx, \(table), (o.*)::text FROM old_rows AS o;
          ELSE
            INSERT INTO \(books.image) (tx, relation, old, new)
              SELECT _tx, \(table), CASE WHEN \(oldKey) IS NOT NULL THEN (o.*)::text END,
                CASE WHEN \(newKey) IS NOT NULL THEN (r.*)::text END
              FROM old_rows AS o FULL JOIN new_rows AS r ON \(link) WHERE (o.*)::text IS DISTINCT FROM (r.*)::text;
          END IF;
      """
  }

  /// The writable columns of a table, each with the bit of its property.
  func recordedColumns(of root: Entity) -> [(column: String, position: Int)] {
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

  /// The columns of a table besides its key and its discriminator.
  func otherColumns(of layout: EntityLayout) -> Set<String> {
    var columns = Set(tables[layout.table].forms.keys).subtracting(layout.key.columns)
    if !layout.columns.contains(where: { $0.name == ModelLayout.discriminator }) {
      columns.remove(ModelLayout.discriminator)
    }
    return columns
  }

  /// The columns that refer to other rows, or to which others refer.
  func referenceColumns(of root: Entity, _ layout: EntityLayout) -> [String] {
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

  func tombstone(of root: Entity, _ layout: EntityLayout) -> String {
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
  func orders(of root: Entity, _ layout: EntityLayout, _ link: String) -> String {
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
        let (number, key, join) = ownerByKey(
          entity, owner, "r.\(reference)", "owner.\(quoted(owner.key.columns[0])) = r.\(reference)")
        statements += """
              INSERT INTO \(books.change) (tx, entity, key, kind, properties)
                SELECT _tx, \(number), \(key), \(RecordedKind.update), \(quotedText(word(position)))
                FROM old_rows AS o JOIN new_rows AS r ON \(link)\(join)
                WHERE o.\(quoted(order)) IS DISTINCT FROM r.\(quoted(order))
                  AND o.\(reference) IS NOT DISTINCT FROM r.\(reference);

          """
      }
    }
    return statements
  }
}
