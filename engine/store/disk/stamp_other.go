//go:build !linux && !darwin

package disk

import "io/fs"

// infoStamp returns no stamp: the system does not record when a file was last changed.
func infoStamp(fs.FileInfo) Stamp { return Stamp{} }
