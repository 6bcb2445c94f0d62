import Foundation
import TestSupport
import Testing

/// Groups by a to-one into tables of others, whose keys are texts, several columns, or unique columns beside the key.
@Suite struct ToOneGroupTests {
  private static let tables = """
    CREATE TABLE country(code TEXT PRIMARY KEY, name TEXT)WITHOUT;
    CREATE TABLE region(country TEXT, part TEXT, name TEXT, PRIMARY KEY(country, part))WITHOUT;
    CREATE TABLE place(id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, pop INTEGER, country_code TEXT REFERENCES country(code), rc TEXT, rp TEXT,
      place_code TEXT REFERENCES place(code), FOREIGN KEY(rc, rp) REFERENCES region(country, part));
    INSERT INTO country VALUES('de', 'Germany'), ('fr', 'France'), ('at', 'Austria');
    INSERT INTO place VALUES(1, 'p1', 'P1'), (2, 'p2', 'P2');
    INSERT INTO region VALUES('fr', 'br', 'Brittany'), ('de', 'he', 'Hesse'), ('de', 'by', 'Bavaria');
    INSERT INTO city VALUES(1, 'Munich', 10, 'de', 'de', 'by', 'p1'), (2, 'Nuremberg', 5, 'de', 'de', 'by', 'p2'),
      (3, 'Rennes', 3, 'fr', 'fr', 'br', 'p1'), (4, 'Vienna', 7, 'at', NULL, NULL, NULL), (5, 'Nowhere', 1, NULL, NULL, NULL, NULL),
      (6, 'Frankfurt', 8, 'de', 'de', 'he', 'p2');
    """

  /// What a script that is given the path of the tables returns, on each kind of store.
  private func onEachStore(_ chunk: String, _ check: (String) -> Void) throws {
    let folder = try TemporaryFolder()
    let script = try Script()
    let sql = Self.tables.replacing(")WITHOUT", with: ") WITHOUT ROWID")
    try script.run(
      "local made = io.popen(\"sqlite3 '\(folder.file("t.sqlite"))'\", 'w') made:write [[\(sql)]] made:close()")
    check(try script.value("use(open('\(folder.file("t.sqlite"))')) " + chunk))
    guard PostgresServer.isInstalled else { return }
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "groups")
    try server.psql(database, Self.tables.replacing(")WITHOUT", with: ")"))
    let other = try Script()
    check(try other.value("use(open('\(server.address(of: database))')) " + chunk))
  }

  private static let shown = """
    local function shown(rows, key)
      local texts = {}
      for _, row in ipairs(rows) do table.insert(texts, (row[key] and row[key].name or '-') .. row.n .. '/' .. row.s) end
      return table.concat(texts, ' ')
    end
    local columns = { n = 'count', s = 'sum(pop)' }

    """

  @Test(arguments: [
    ("countryCode", "-1/1 Austria1/7 Germany3/23 France1/3", "Germany3/23 Austria1/7 France1/3 -1/1"),
    ("region", "-2/8 Bavaria2/15 Hesse1/8 Brittany1/3", "Bavaria2/15 -2/8 Hesse1/8 Brittany1/3"),
    ("placeCode", "-2/8 P12/13 P22/13", "P12/13 P22/13 -2/8"),
  ])
  func groupsHaveTheObjectsOfTheirKeys(_ key: String, _ inOrder: String, _ bySum: String) throws {
    try onEachStore(
      Self.shown + """
        local grouped = City:all():grouped({ '\(key)' }, columns)
        return shown(City:groupBy('\(key)', columns), '\(key)'), shown(grouped:sorted '-s':fetch(), '\(key)'),
          shown(grouped:sorted '-\(key)':fetch(), '\(key)'), shown(grouped:sorted '-s':live(), '\(key)')
        """
    ) { text in
      let reversed = inOrder.split(separator: " ").reversed().joined(separator: " ")
      #expect(text == [inOrder, bySum, reversed, bySum].joined(separator: " "))
    }
  }

  @Test func groupsAreChosenByTheObjects() throws {
    try onEachStore(
      Self.shown + """
        local germany, bavaria = Country:find 'de', Region:find { country = 'de', part = 'by' }
        return shown(City:all():grouped({ 'countryCode' }, columns):having('countryCode != nil AND n > 1'):fetch(), 'countryCode'),
          shown(City:all():grouped({ 'region' }, columns):having { 'region == %@', bavaria }:fetch(), 'region'),
          shown(City:all():grouped({ 'countryCode' }, columns):having { 'countryCode == %@', germany }:live(), 'countryCode')
        """
    ) { #expect($0 == "Germany3/23 Bavaria2/15 Germany3/23") }
  }

  @Test func liveGroupsFollowWhatMovesBetweenThem() throws {
    try onEachStore(
      Self.shown + """
        local live = City:all():grouped({ 'region' }, columns):sorted '-s':live()
        City:find(2).region = City:find(3).region
        City:find(4).region = Region:find { country = 'de', part = 'he' }
        save()
        return shown(live, 'region')
        """
    ) { #expect($0 == "Hesse2/15 Bavaria1/10 Brittany2/8 -1/1") }
  }
}
