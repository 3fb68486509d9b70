package tree

import "io/fs"

// leads reports whether a file is a link.
func leads(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }
