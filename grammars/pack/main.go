// Pack writes the tables of each grammar into one compressed file, as grammars.Parse expects them. generate.sh runs it.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	build, out := os.Args[1], os.Args[2]
	for _, name := range os.Args[3:] {
		if err := pack(build, out, name); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // generate.sh stops
		}
	}
}

// pack writes five numbers (where the tables start and end in memory, the addresses of the language, of its lexer and of
// that of its keywords, 0 if it has none) and the tables.
func pack(build, out, name string) error {
	program, err := os.ReadFile(filepath.Join(build, "table-"+name+".wasm"))
	if err != nil {
		return err
	}
	base, data, language, err := readModule(program)
	if err != nil {
		return err
	}
	var lexers [2]uint32
	for i, part := range []string{".main", ".keywords"} {
		table, err := os.ReadFile(filepath.Join(build, "lexer-"+name+part))
		if errors.Is(err, os.ErrNotExist) && i == 1 {
			continue
		}
		if err != nil {
			return err
		}
		for len(data)%16 != 0 {
			data = append(data, 0)
		}
		lexers[i] = base + uint32(len(data))
		data = append(data, table...)
	}
	var header []byte
	for _, n := range []uint32{base, base + uint32(len(data)), language, lexers[0], lexers[1]} {
		header = binary.LittleEndian.AppendUint32(header, n)
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(header, data...)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name), packed.Bytes(), 0o644)
}

type reader struct{ rest []byte }

func (r *reader) number() uint32 {
	n, size := binary.Uvarint(r.rest)
	r.rest = r.rest[size:]
	return uint32(n)
}

// signed reads a signed number; addresses are small, so that its sign is never set.
func (r *reader) signed() uint32 { return r.number() }

func (r *reader) take(n uint32) []byte {
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// readModule returns the data of a WebAssembly module, and the number that its last function returns.
func readModule(program []byte) (base uint32, data []byte, language uint32, err error) {
	r := &reader{program[8:]}
	for len(r.rest) > 0 {
		id := r.take(1)[0]
		section := &reader{r.take(r.number())}
		switch id {
		case 10:
			if language, err = readLast(section); err != nil {
				return 0, nil, 0, err
			}
		case 11:
			base, data = readData(section)
		}
	}
	if data == nil || language < base {
		return 0, nil, 0, errors.New("no tables found")
	}
	return base, data, language, nil
}

func readLast(section *reader) (uint32, error) {
	var body *reader
	for range section.number() {
		body = &reader{section.take(section.number())}
		if len(body.rest) > 2 && body.rest[0] == 0 && body.rest[1] == 0x41 {
			body.take(2)
			n := body.signed()
			if len(body.rest) == 1 {
				return n, nil
			}
		}
	}
	return 0, errors.New("no function that returns the language")
}

func readData(section *reader) (base uint32, data []byte) {
	for i := range section.number() {
		section.take(2) // flags, i32.const
		address := section.signed()
		section.take(1) // end
		bytes := section.take(section.number())
		if i == 0 {
			base = address
		}
		data = append(data, make([]byte, int(address-base)-len(data))...)
		data = append(data, bytes...)
	}
	return base, data
}
