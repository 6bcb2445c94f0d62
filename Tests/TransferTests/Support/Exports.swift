// Samples and errors are what nearly every test here begins with.
@_exported import StorageTestSupport
