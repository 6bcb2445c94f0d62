import Layouts
import Modeling
import Stores

// The record of pairs, and of rows that nothing distinguishes.
extension RecordingTriggers {
  /// A side of a table of pairs: the relationship, the columns of its owner, and what these hold.
  struct Side {
    let entity: Entity
    let index: Int
    let columns: [String]
    let target: ReferenceTarget
  }

  func joins() -> [(JoinLayout, [Side])] {
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

  func body(of join: JoinLayout, _ sides: [Side]) -> String {
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
        let (number, key, join) = ownerByKey(
          side.entity, layout, "p.\(quoted(side.columns[0]))", link.joined(separator: " AND "))
        let names = books.isOfNodes ? "NULL::jsonb" : keyColumns(layout).names("owner")
        return """
              INSERT INTO \(books.change) (tx, entity, key, names, kind, properties)
                SELECT _tx, \(number), \(key), \(names), \(RecordedKind.update), \(quotedText(word(position)))
                FROM \(rows) AS p\(join);

          """
      }.joined()
    }
    let link = ends.map { "o.\(quoted($0)) = r.\(quoted($0))" }.joined(separator: " AND ")
    let changed = "(SELECT * FROM new_rows EXCEPT ALL SELECT * FROM old_rows)"
    let former = "(SELECT * FROM old_rows EXCEPT ALL SELECT * FROM new_rows)"
    return """
      \(beginning)
        IF TG_OP = 'TRUNCATE' OR _written > \(Self.mostRows) AND \(!keepsAll) THEN
          INSERT INTO \(books.change) (tx, kind, former)
            VALUES (_tx, \(kinds.wholeTable), jsonb_build_object('', \(table)));
        ELSIF TG_OP = 'INSERT' THEN
      \(pairs(kinds.pair, "new_rows"))\(owners("new_rows"))
        ELSIF TG_OP = 'DELETE' THEN
      \(pairs(kinds.formerPair, "old_rows"))\(owners("old_rows"))
        ELSE
      \(pairs(kinds.formerPair, former))\(pairs(kinds.pair, changed))\(owners(former))\(owners(changed))
        END IF;
      \(images(table, link, "o.\(quoted(ends[0]))", "r.\(quoted(ends[0]))"))
      """
  }

  /// The record of a table whose rows nothing distinguishes.
  func bodyOfWholeTable(_ number: String, _ table: String) -> String {
    """
        _tx := \(books.note)();
        INSERT INTO \(books.change) (tx, entity, kind, former)
          VALUES (_tx, \(number), \(RecordingBooks.Kind.wholeTable), jsonb_build_object('', \(quotedText(table))));
        \(books.isOfNodes ? "" : "IF _writer IS NOT NULL THEN INSERT INTO \(books.image) (tx) VALUES (_tx); END IF;")
    """
  }
}
