package exchange

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"chant/engine"
	"chant/engine/spec/next"
)

// maxInput limits the bytes of a file that is imported.
const maxInput = 100 << 20

// readInput reads a file or a pipe, such as a process substitution of a shell. Errors: Usage for anything else and for too
// much; Canceled.
func readInput(ctx context.Context, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, engine.Fail(engine.Usage, next.Guide.On("import"), "%q is a folder (use a file or a pipe)", name)
	case !mode.IsRegular() && mode.Type() != fs.ModeNamedPipe:
		return nil, engine.Fail(engine.Usage, next.Guide.On("import"), "%q is a device or a socket (use a file, a folder or a pipe)", name)
	}
	return readAll(ctx, name, func() (io.ReadCloser, error) { return os.Open(name) })
}

// ReadStream reads a stream that is imported, to its end. Errors: Usage for too much; Canceled.
func ReadStream(ctx context.Context, name string, from io.Reader) ([]byte, error) {
	return readAll(ctx, name, func() (io.ReadCloser, error) { return io.NopCloser(from), nil })
}

// readAll opens and reads in a goroutine of its own: opening a pipe without a writer blocks, and no context ends that. After
// a cancellation the goroutine is left behind.
func readAll(ctx context.Context, name string, open func() (io.ReadCloser, error)) ([]byte, error) {
	type outcome struct {
		src []byte
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		in, err := open()
		if err != nil {
			done <- outcome{err: err}
			return
		}
		defer in.Close()
		src, err := io.ReadAll(io.LimitReader(in, maxInput+1))
		done <- outcome{src, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("read %q: %w", name, context.Cause(ctx))
	case out := <-done:
		if len(out.src) > maxInput {
			return nil, engine.Fail(engine.Usage, next.Guide.On("import"), "%q is larger than %d MB", name, maxInput>>20)
		}
		return out.src, out.err
	}
}
