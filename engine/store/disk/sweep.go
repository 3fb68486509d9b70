package disk

import (
	"os"
	"runtime"
	"sync"
)

// Sweep returns the stamps of the named files of a folder, in their order; zero for names without a stamp.
func Sweep(folder string, names []string) ([]Stamp, error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	out := make([]Stamp, len(names))
	// Waiting for the kernel does not use a processor, so more goroutines than processors help; few files are not worth one.
	width := min(2*runtime.GOMAXPROCS(0), len(names)/64+1)
	var wg sync.WaitGroup
	for w := range width {
		from, to := w*len(names)/width, (w+1)*len(names)/width
		wg.Go(func() { sweep(dir, names[from:to], out[from:to]) })
	}
	wg.Wait()
	return out, nil
}
