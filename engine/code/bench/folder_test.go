package bench

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chant/engine/code/outline"
	"chant/engine/code/shelf"

	"github.com/alecthomas/assert/v2"
)

// source is a file of a programming language.
type source struct {
	name string
	text []byte
}

// sourcesBelow returns the files of a folder that would be indexed, by language.
func sourcesBelow(b *testing.B, folder string) map[string][]source {
	b.Helper()
	all := map[string][]source{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || (shelf.Rules{}).Path(d.Name()) != "" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var usual shelf.Rules
		if len(text) > 0 && usual.Size(int64(len(text))) == "" && usual.Content(d.Name(), text) == "" {
			language := outline.Language(d.Name(), text)
			all[language] = append(all[language], source{d.Name(), text})
		}
		return nil
	})
	assert.NoError(b, err)
	return all
}

// mostSources is how many files of a language are read.
const mostSources = 2000

// BenchmarkFolder measures how fast the files of each programming language are divided into chunks, on all processors, and
// for each second of a processor. The files are those below CHANT_BENCH_FOLDER, such as a node_modules.
func BenchmarkFolder(b *testing.B) {
	folder := os.Getenv("CHANT_BENCH_FOLDER")
	if folder == "" {
		b.Skip("CHANT_BENCH_FOLDER is not set")
	}
	all := sourcesBelow(b, folder)
	for _, language := range strings.Fields("bash c cpp csharp go java javascript kotlin php python ruby rust swift tsx typescript") {
		files := all[language]
		if len(files) == 0 {
			continue
		}
		if each := len(files) / mostSources; each > 1 { // some of all folders
			kept := files[:0]
			for i := 0; i < len(files); i += each {
				kept = append(kept, files[i])
			}
			files = slices.Clip(kept)
		}
		bytes := 0
		for _, f := range files {
			bytes += len(f.text)
		}
		b.Run(language, func(b *testing.B) {
			begin := processorTime()
			for b.Loop() {
				divideAll(b, files)
			}
			if used := processorTime() - begin; used > 0 { // which other load changes less
				b.ReportMetric(float64(len(files)*b.N)/used, "files/CPU-s")
			}
			b.ReportMetric(float64(len(files)*b.N)/b.Elapsed().Seconds(), "files/s")
			b.ReportMetric(float64(bytes*b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
			b.ReportMetric(float64(bytes)/float64(len(files))/1000, "KB/file")
			b.ReportMetric(float64(len(files)), "files")
		})
	}
}

func divideAll(b *testing.B, files []source) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				if _, err := outline.Divide(b.Context(), files[i].name, files[i].text); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}
