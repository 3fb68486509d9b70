//go:build !linux && !darwin

package stamp

import "io/fs"

// ofInfo returns no stamp: the system does not record when a file was last changed.
func ofInfo(fs.FileInfo) Stamp { return Stamp{} }
