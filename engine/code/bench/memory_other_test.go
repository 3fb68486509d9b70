//go:build !linux

package bench

import "os"

// memoryOf is 0: only Linux is asked.
func memoryOf(*os.ProcessState) float64 { return 0 }

// memoryNow is 0: only Linux is asked.
func memoryNow(int) float64 { return 0 }

// processorTime is 0: only Linux is asked.
func processorTime() float64 { return 0 }
