public import CLua
internal import Glibc

extension LuaStack {
  // MARK: - Reading

  /// The truth of the value at `index`: false for nil, false and no value.
  @inlinable
  public func bool(at index: Int32) -> Bool { lua_toboolean(pointer, index) != 0 }

  /// The number at `index` if it is an integer, or a float without fraction; strings are not converted.
  @inlinable
  public func integer(at index: Int32) -> Int64? {
    guard lua_type(pointer, index) == LuaType.number.rawValue else { return nil }
    var isExact: Int32 = 0
    let value = lua_tointegerx(pointer, index, &isExact)
    return isExact != 0 ? value : nil
  }

  /// The number at `index`; strings are not converted.
  @inlinable
  public func number(at index: Int32) -> Double? {
    guard lua_type(pointer, index) == LuaType.number.rawValue else { return nil }
    return lua_tonumberx(pointer, index, nil)
  }

  /// The string at `index`, or nil if it is no string or not valid UTF-8; numbers are not converted.
  public func string(at index: Int32) -> String? {
    withBytes(at: index) { bytes in
      // Decoding repairs invalid bytes, and the text then differs from them. String(validating:) is slower.
      var text = String(decoding: bytes, as: UTF8.self)
      let isValid = text.withUTF8 { utf8 in
        utf8.count == bytes.count && (utf8.isEmpty || memcmp(utf8.baseAddress!, bytes.baseAddress!, utf8.count) == 0)
      }
      return isValid ? text : nil
    } ?? nil
  }

  /// The string at `index` with U+FFFD for invalid UTF-8, or nil if it is no string.
  public func repairedString(at index: Int32) -> String? {
    withBytes(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the string at `index`, or nil if it is no string.
  public func bytes(at index: Int32) -> [UInt8]? {
    withBytes(at: index) { Array($0) }
  }

  /// Calls `body` with the bytes of the string at `index`, in place; nil if it is no string.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    at index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Asked first, as lua_tolstring would convert a number where it stands.
    guard lua_type(pointer, index) == LuaType.string.rawValue else { return nil }
    var count = 0
    let start = lua_tolstring(pointer, index, &count)
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// How many bytes the string, elements the table (without metamethods) or bytes the userdata at `index` has.
  @inlinable
  public func rawLength(at index: Int32) -> Int {
    lua_type(pointer, index) == LuaType.number.rawValue ? 0 : Int(lua_rawlen(pointer, index))
  }

  /// The address of the userdata at `index`, light or full.
  @inlinable
  public func userdata(at index: Int32) -> UnsafeMutableRawPointer? { lua_touserdata(pointer, index) }

  /// An address that identifies the table, function, userdata, thread or string at `index` while it lives.
  @inlinable
  public func identity(at index: Int32) -> UnsafeRawPointer? { lua_topointer(pointer, index) }

  // MARK: - Pushing

  /// Pushes nil.
  @inlinable
  public func pushNil() { lua_pushnil(pointer) }

  /// Pushes a boolean.
  @inlinable
  public func push(_ value: Bool) { lua_pushboolean(pointer, value ? 1 : 0) }

  /// Pushes an integer.
  @inlinable
  public func push(_ value: Int64) { lua_pushinteger(pointer, value) }

  /// Pushes an integer.
  @inlinable
  public func push(_ value: Int) { lua_pushinteger(pointer, Int64(value)) }

  /// Pushes a float.
  @inlinable
  public func push(_ value: Double) { lua_pushnumber(pointer, value) }

  /// Pushes a string.
  @inlinable
  public func push(_ value: String) {
    var value = value
    value.withUTF8 { push(UnsafeRawBufferPointer($0)) }
  }

  /// Pushes a string.
  @inlinable
  public func push(_ value: Substring) {
    var value = value
    value.withUTF8 { push(UnsafeRawBufferPointer($0)) }
  }

  /// Pushes a string of these bytes.
  @inlinable
  public func push(_ bytes: UnsafeRawBufferPointer) {
    _ = lua_pushlstring(pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  /// Pushes a string of these bytes.
  @inlinable
  public func push(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { push($0) }
  }

  /// Pushes a string that is known at compile time, without making a `String` of it.
  @inlinable
  public func push(literal: StaticString) {
    literal.withUTF8Buffer { push(UnsafeRawBufferPointer($0)) }
  }

  /// Pushes an address, as a light userdata.
  @inlinable
  public func push(address: UnsafeMutableRawPointer?) { lua_pushlightuserdata(pointer, address) }

  /// Pushes a copy of the value at `index`.
  @inlinable
  public func pushCopy(of index: Int32) { lua_pushvalue(pointer, index) }
}
