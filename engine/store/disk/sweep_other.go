//go:build !linux

package disk

import (
	"os"
	"path/filepath"
)

func sweep(dir *os.File, names []string, out []Stamp) {
	for i, name := range names {
		if info, err := os.Lstat(filepath.Join(dir.Name(), name)); err == nil && info.Mode().IsRegular() {
			out[i] = FromInfo(info)
		}
	}
}

func belowStamp(dir *os.File, path string) Stamp {
	info, err := os.Lstat(filepath.Join(dir.Name(), filepath.FromSlash(path)))
	if err != nil {
		return Stamp{}
	}
	return FromInfo(info)
}
