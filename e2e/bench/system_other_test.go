//go:build !linux

package bench

import (
	"errors"
	"os"
)

// peakMemory returns 0: how systems report it differs.
func peakMemory(*os.ProcessState) int64 { return 0 }

// residentMemory returns an error: only Linux has /proc.
func residentMemory(int) (int64, error) {
	return 0, errors.New("the memory of a running process is read from /proc")
}

// memoryFolder returns "": only Linux has such a folder by default.
func memoryFolder() string { return "" }
