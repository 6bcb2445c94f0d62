internal import CSQLite

/// A call of an SQL function that `Connection.register` added: its arguments, and its result, which is null by default.
///
///     connection.register(function: "twice", arguments: 1) { context, _, arguments in
///       let call = SQLFunctionCall(context, arguments)
///       call.setResult(2 * call.integer(0))
///     }
///
/// The bytes of an argument are valid until the call ends. The members are inlinable, because statements call functions
/// for each row.
package struct SQLFunctionCall {
  /// The storage class of an argument.
  package enum ArgumentType: Sendable {
    case null
    case integer
    case real
    case text
    case blob
  }

  @usableFromInline let context: OpaquePointer?
  @usableFromInline let arguments: UnsafeMutablePointer<OpaquePointer?>?

  /// Wraps the values that SQLite passes to a function. The final call of an aggregate has no arguments.
  @inlinable
  package init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>? = nil) {
    self.context = context
    self.arguments = arguments
  }

  // MARK: Arguments

  @inlinable
  package func type(_ index: Int) -> ArgumentType {
    switch sqlite3_value_type(arguments?[index]) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  @inlinable
  package func integer(_ index: Int) -> Int64 { sqlite3_value_int64(arguments?[index]) }
  @inlinable
  package func real(_ index: Int) -> Double { sqlite3_value_double(arguments?[index]) }

  /// The bytes of an argument that is a text or a blob.
  @inlinable
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    // SQLite may have to convert a text to UTF-8 first.
    let argument = arguments?[index]
    let base =
      sqlite3_value_type(argument) == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_value_text(argument)) : sqlite3_value_blob(argument)
    return UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(argument)))
  }

  /// The text of an argument, with invalid UTF-8 replaced; nil if the argument is not a text.
  @inlinable
  package func text(_ index: Int) -> String? {
    let argument = arguments?[index]
    guard sqlite3_value_type(argument) == SQLITE_TEXT, let base = sqlite3_value_text(argument) else { return nil }
    let count = Int(sqlite3_value_bytes(argument))
    return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  // MARK: Results

  @inlinable
  package func setResult(_ number: Int64) { sqlite3_result_int64(context, number) }
  @inlinable
  package func setResult(_ number: Double) { sqlite3_result_double(context, number) }
  /// Sets 1 or 0, SQL's true and false.
  @inlinable
  package func setResult(_ flag: Bool) { sqlite3_result_int(context, flag ? 1 : 0) }

  /// Sets a text, which SQLite copies.
  package func setResult(_ text: String) {
    // An empty buffer may have no address, and a null pointer would be null.
    if text.isEmpty { return perilune_result_text(context, "", 0) }
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        perilune_result_text(context, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// Sets a blob, which SQLite copies.
  package func setResult(_ bytes: [UInt8]) { perilune_result_blob(context, bytes, Int32(clamping: bytes.count)) }

  /// Ends the statement as interrupted.
  package func interrupt() { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
  /// Ends the statement with an error.
  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

  // MARK: Objects of functions

  /// The object that the function was registered with.
  @inlinable
  package func registered<Object: AnyObject>(as type: Object.Type) -> Object? {
    sqlite3_user_data(context).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The object that an earlier row of the statement stored with a constant argument.
  @inlinable
  package func kept<Object: AnyObject>(beside index: Int, as type: Object.Type) -> Object? {
    sqlite3_get_auxdata(context, Int32(index)).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Stores an object with an argument, for later rows of the statement. SQLite drops it if the argument changes.
  package func keep(_ object: some AnyObject, beside index: Int) {
    sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(object).toOpaque()) { pointer in
      if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }

  /// The object in which an aggregate collects the rows of a group, created for the first row; nil if memory is
  /// exhausted.
  @inlinable
  package func collector<Object: AnyObject>(_ make: () -> Object) -> Object? {
    // SQLite zeroes the memory of an aggregate first; it then holds a reference to the object.
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let memory = sqlite3_aggregate_context(context, size) else { return nil }
    let slot = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if let known = slot.pointee { return Unmanaged<Object>.fromOpaque(known).takeUnretainedValue() }
    let made = make()
    slot.pointee = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  /// Removes and returns the collector of a finished group; nil if the group has no rows.
  @inlinable
  package func takeCollector<Object: AnyObject>(as type: Object.Type) -> Object? {
    guard let memory = sqlite3_aggregate_context(context, 0) else { return nil }
    let slot = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    defer { slot.pointee = nil }
    return slot.pointee.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
  }
}
