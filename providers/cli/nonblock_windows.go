package cli

// nonblock is nothing here: no pipe has a place in a folder.
const nonblock = 0
