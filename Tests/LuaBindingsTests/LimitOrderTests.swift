import TestSupport
import Testing

/// The first rows of a request that names no order are those with the lowest keys, however they are had.
@Suite struct LimitOrderTests {
  private static let chunk = """
    local Item = store.entities.Item
    for i = 1, 40 do Item { n = 100 - i, text = 't' .. i % 7 } save() end
    local function shown(list) local t = {} for i = 1, #list do t[i] = list[i].n end return table.concat(t, ',') end
    local results = {}
    for _, predicate in ipairs { 'TRUEPREDICATE', 'n < 90', "text IN { 't1', 't3' } AND n < 95", 'n BETWEEN { 70, 80 }' } do
      for _, offset in ipairs { 0, 3 } do
        local request = Item:where(predicate):limit(4):offset(offset)
        local fetched = shown(request:fetch())
        local each, rows = {}, {}
        for item in request:each() do table.insert(each, item) end
        local dictionaries = FetchRequest {
          entity = Item, predicate = predicate, fetchLimit = 4, fetchOffset = offset, resultType = 'dictionaries',
          propertiesToFetch = { 'n' } }
        assert(shown(each) == fetched, predicate .. ' each ' .. shown(each) .. ' ' .. fetched)
        assert(shown(request:live()) == fetched, predicate .. ' live ' .. shown(request:live()) .. ' ' .. fetched)
        assert(tostring(request:first().n) == fetched:match '^%d+', predicate .. ' first')
        assert(shown(dictionaries:fetch()) == fetched, predicate .. ' dictionaries ' .. shown(dictionaries:fetch()))
        assert(request:max 'n' == tonumber(fetched:match '^%d+'), predicate .. ' max')
        table.insert(results, fetched)
      end
    end
    return table.concat(results, ' ')
    """
  private static let model = "Model { Item = Entity { n = Int { indexed = true }, text = String { indexed = true } } }"
  private static let expected =
    "99,98,97,96 96,95,94,93 89,88,87,86 86,85,84,83 92,90,85,83 83,78,76,71 80,79,78,77 77,76,75,74"

  @Test func aFileAnswersInTheOrderOfKeys() throws {
    let script = try Script()
    try script.run("use(open(':memory:', { model = \(Self.model) }))")
    #expect(try script.value(Self.chunk) == Self.expected)
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aServerAnswersTheSame() throws {
    let server = try PostgresServer.shared.get()
    let address = try server.address(of: server.makeDatabase(for: "limit"))
    let script = try Script()
    try script.run("use(open('\(address)', { create = true, model = \(Self.model) }))")
    #expect(try script.value(Self.chunk) == Self.expected)
  }
}
