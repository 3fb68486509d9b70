package grammars

import (
	"compress/flate"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"chant/grammars/treesitter"
)

// Language is a language that has a grammar.
type Language uint8

// Languages, in the order of c/list.h.
const (
	Swift Language = iota
	TypeScript
	TSX
	JavaScript
	Python
	Rust
	Java
	Kotlin
	C
	CPP
	CSharp
	Ruby
	PHP
	Bash
	count
)

var names = [count]string{"swift", "typescript", "tsx", "javascript", "python", "rust", "java", "kotlin", "c", "cpp", "csharp",
	"ruby", "php", "bash"}

// String returns the name of a language, for example "csharp".
func (l Language) String() string {
	if l >= count {
		return "unknown"
	}
	return names[l]
}

// Languages returns all languages.
func Languages() []Language {
	all := make([]Language, count)
	for i := range all {
		all[i] = Language(i)
	}
	return all
}

//go:embed tables
var tables embed.FS

// grammar is a language and what is known of it once a memory was made for it.
type grammar struct {
	idle            sync.Pool // of *instance
	once            sync.Once
	symbols, fields []string
}

// grammars keeps memories for later parses, and the names of each language.
var grammars [count]grammar

// instance is a memory with the runtime and the tables of one language.
type instance struct {
	module *treesitter.Module
	host   *host
}

// newInstance returns a memory that is ready to parse a language.
func newInstance(l Language) (*instance, error) {
	f, err := tables.Open("tables/" + l.String())
	if err != nil {
		return nil, fmt.Errorf("unknown language %d: %w", l, err)
	}
	defer f.Close()
	r := flate.NewReader(f)
	var header [20]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, fmt.Errorf("tables of %s: %w", l, err)
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(header[4*i:]) }
	in := &instance{host: &host{}}
	in.module = treesitter.New(in.host)
	memory := in.module.Slice()
	start, end := int(number(0)), int(number(1))
	larger := make([]byte, (end+firstRoom)&^0xffff)
	copy(larger, *memory)
	*memory = larger
	if _, err := io.ReadFull(r, larger[start:end]); err != nil {
		return nil, fmt.Errorf("tables of %s: %w", l, err)
	}
	in.host.left = mostSteps
	in.module.Xinstall(int32(l), int32(number(2)), int32(number(3)), int32(number(4)), int32(end))
	grammars[l].once.Do(func() { grammars[l].readNames(in.module) })
	return in, nil
}

// firstRoom is how much memory beyond the tables an instance has at first.
const firstRoom = 1 << 20

func (g *grammar) readNames(m *treesitter.Module) {
	text := func(at int32) string {
		if at == 0 {
			return ""
		}
		b := (*m.Slice())[at:]
		n := 0
		for b[n] != 0 {
			n++
		}
		return string(b[:n])
	}
	for i := range m.Xsymbol_count() {
		g.symbols = append(g.symbols, text(m.Xsymbol_name(i)))
	}
	g.fields = append(g.fields, "")
	for i := range m.Xfield_count() {
		g.fields = append(g.fields, text(m.Xfield_name(i+1)))
	}
}
