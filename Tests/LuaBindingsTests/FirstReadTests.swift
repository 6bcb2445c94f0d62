import Testing

/// Each way of reading, as the first one on a connection: nothing counts on another having gone before it.
@Suite struct FirstReadTests {
  private static let attributes = TypesStore.attributes + ["place.identifier", "place.since", "place.bytes"]
  private static let ways =
    [
      "Thing:find('a').place.identifier", "Thing:find { short = 3 }.place.since", "Thing:find(1).place.bytes",
      "Thing:find(2).code", "Thing:first().place.identifier", "Thing:first(\"raw == 'abc'\").code",
      "Thing:all():fetch()[1].tags", "Thing:count()", "Thing:exists('photo != nil')",
      "Owner:first().things[1].place.amount",
      "Thing:find('a').owner.things:list()[2].code",
      "Thing:all():sum('cost')", "Thing:all():average('cost')", "Owner:all():max('things.@sum.cost')",
      "#Thing:all():groupBy('uuid', { n = 'count()' })", "#Thing:all():groupBy('cost', { most = 'max(when)' })",
      "Thing:all():with { resultType = 'dictionaries' }:fetch()[1].place.identifier",
      "#Owner:all():with { resultType = 'dictionaries' }:fetch()",
      "#Thing:all():with { resultType = 'objectIDs' }:fetch()",
      "Thing:all():with { resultType = 'dictionaries', propertiesToFetch = { 'owner.things.@count' } }:fetch()[1]",
      "Thing:all():page(1, 1)[1].place", "Thing:all():each()().place.identifier",
      "#Thing:all():live()", "#Thing:where('uuid != nil'):sorted('cost'):live()",
      "#Query { entity = Thing, sort = 'code', sectionBy = 'code' }",
      "Thing:where('cost > 3'):explain()", "Thing:where('uuid IN %@', { UUID() }):explain()",
      "Predicate('cost > 100'):why(Thing:find('a'))", "Thing:where('place.amount > 3'):why(Thing:find('a'))",
      "Thing:where('cost > 3'):counts()", "Thing:where('cost > 3'):tryIndex { 'code' }",
      "#store:verify()", "store:sql('SELECT * FROM ZTHING')[1]",
      "store:sql('SELECT uuid_text(ZUUID) AS u FROM ZTHING')[1].u",
      "store:copy(open(':memory:', { model = store.model })).counts.Thing",
      "Thing:find('a').objectID.uri", "Thing:find('x-coredata://C0FFEE00-0000-4000-8000-000000000001/Thing/p1').code",
      "store.context:newChild().entities.Thing:find('a').place.identifier",
    ]
    + attributes.flatMap { name in
      [
        "Thing:first('\(name) != nil').code", "Thing:all():sorted('-code'):fetch()[1].code",
        "Thing:where('SUBQUERY(owner.things, $t, $t.\(name) != nil).@count > 0'):count()",
        "Thing:all():with { resultType = 'dictionaries', propertiesToFetch = { '\(name)' } }:fetch()[1]",
      ] + (name == "tags" ? [] : ["Thing:all():sorted('\(name)'):fetch()[1].code", "Thing:all():max('\(name)')"])
    }
  private static let writes = [
    "Thing:batchUpdate('cost > 3', { short = 1 })", "Thing:batchUpdate('uuid != nil', { place = { amount = 1 } })",
    "Thing:batchDelete('place.identifier != nil')", "Thing:batchInsert { { code = 'c', uuid = UUID() } }",
    "Thing:batchInsert({ { code = 'a', short = 1 } }, { upsert = 'code' })",
    "Thing:where('cost > 3'):update { short = 1 }",
    "Thing:where('place.since != nil'):delete()", "Thing { code = 'x' } save()",
    "Thing:find('a').place = { amount = 1 } save()", "Thing:find('a'):delete() save()",
    "Thing:find('a').short = 9 save() store:undoSave()", "Thing:find('a').short = 9 undo()",
    "Thing:find('a').owner = nil save()", "store:sql \"UPDATE ZTHING SET ZSHORT = 1 WHERE uuid_text(ZUUID) != ''\"",
  ]

  @Test func eachWayOfReadingWorksAsTheFirstOne() throws {
    let store = try TypesStore()
    for way in Self.ways {
      let script = try store.open()
      #expect(script.error("local value = \(way)") == nil, "\(way)")
    }
  }

  @Test func eachWayOfWritingWorksAsTheFirstOne() throws {
    for way in Self.writes {
      let script = try TypesStore().open(readOnly: false)
      let isExpression = !way.contains("save()") && !way.contains("undo()")
      #expect(
        script.error("store.context:transaction(function() end) \(isExpression ? "local n = " : "")\(way)") == nil,
        "\(way)")
    }
  }

  @Test func aCompositeIsReadByKeyFirst() throws {
    let script = try TypesStore().open()
    let text = "00112233-4455-6677-8899-AABBCCDDEE00 2020-01-06T10:40:00Z de"
    #expect(try script.value("local p = Thing:find('a').place return p.identifier, p.since, p.bytes") == text)
  }
}
