import Foundation
import LuaBindings
import Testing

/// Dates in the conversions of `os.date`.
@Suite struct DateFormatTests {
  private let script: Script
  init() throws { script = try Script() }

  @Test func aDateIsWrittenInUTC() throws {
    #expect(
      try script.value(#"Date("2024-01-22T16:26:12.75Z"):format("%d.%m.%Y %H:%M:%S %j %A 100%%")"#)
        == "22.01.2024 16:26:12 022 Monday 100%")
    #expect(try script.value(#"Date("0001-03-04T00:00:00Z"):format("%m/%d")"#) == "03/04")
    #expect(try script.value(#"Date(-0.5):format("%H:%M:%S")"#) == "23:59:59")
  }

  @Test func osDateTakesADateAndAllThatItTookBefore() throws {
    let date = #"Date("2024-01-22T16:26:12Z")"#
    #expect(try script.value(#"os.date("!%Y-%m-%d", \#(date)), os.date("!%H", 3600)"#) == "2024-01-22 01")
    #expect(
      try script.value(
        #"local t = os.date("!*t", \#(date)) return t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday, t.isdst"#
      )
        == "2024 1 22 16 26 12 2 22 false")
    #expect(try script.value(#"os.date("%Y", \#(date)) == os.date("%Y", \#(date).timestamp // 1 | 0)"#) == "true")
    #expect(
      try script.value(#"#os.date() > 10, os.date("%Y") == tostring(Date().year) or os.date("!%m%d") == "0101""#)
        == "true true")
    #expect(try script.value(#"os.time(os.date("*t", 86400)), os.date("%%"), os.date("")"#) == "86400 % ")
  }

  @Test func whatCannotBeWrittenIsNamed() throws {
    #expect(script.error(#"Date(0):format("%Q")"#)?.contains("there is no conversion '%Q'") == true)
    #expect(script.error(#"os.date("%EQ")"#)?.contains("there is no conversion '%EQ'") == true)
    #expect(script.error(#"Date(0):format("x%")"#)?.contains("there is no conversion '%'") == true)
    #expect(script.error(#"Date(0):format()"#)?.contains("expected a pattern") == true)
    #expect(
      script.error(#"os.date("%Y", "x")"#)?.contains("expected a Date or a whole number of seconds, got string") == true
    )
    #expect(script.error(#"os.date("%Y", 1e300)"#)?.contains("whole number") == true)
    #expect(script.error(#"Date(1e300):format("%Y")"#)?.contains("no place in the calendar") == true)
    #expect(script.error("Date(0):fromat('%Y')")?.contains("format") == true)
  }

  @Test func theSandboxHasBoth() throws {
    var options = Engine.Options()
    options.isSandboxed = true
    let script = try Script(options)
    #expect(try script.value(#"Date(0):format("%Y"), os.date("!%Y", Date(0))"#) == "1970 1970")
  }
}
