package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pieces = `{"normalizer":{"type":"BertNormalizer","lowercase":true,"handle_chinese_chars":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":10,
"vocab":{"[UNK]":0,"open":1,"##ing":2,"file":3,"(":4,"語":5,"uber":6}}}`

const unigram = `{"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled"},{"type":"Lowercase"}]},
"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
"model":{"type":"Unigram","unk_id":0,
"vocab":[["<unk>",0],["▁open",-1],["▁op",-3],["en",-3],["ing",-2],["▁file",-1],["s",-2]]}}`

// tensorsOf returns a file of safetensors.
func tensorsOf(tb testing.TB, all map[string]tensor) []byte {
	tb.Helper()
	header, data := map[string]any{"__metadata__": map[string]string{"a": "b"}}, []byte(nil)
	for name, t := range all {
		header[name] = map[string]any{"dtype": t.kind, "shape": t.shape, "data_offsets": []int{len(data), len(data) + len(t.data)}}
		data = append(data, t.data...)
	}
	text, err := json.Marshal(header)
	if err != nil {
		tb.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

// unitRows returns a table in which row n has 1 at n.
func unitRows(n int) tensor {
	t := tensor{kind: "F32", shape: []int{n, n}}
	for i := range n * n {
		x := float32(0)
		if i/n == i%n {
			x = 1
		}
		t.data = binary.LittleEndian.AppendUint32(t.data, math.Float32bits(x))
	}
	return t
}

func TestVector(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tokenizer, text, want string }{
		{pieces, "Opening FILE(", "open ##ing file ("},
		{pieces, "über語file", "uber 語 file"},
		{pieces, "openx file", "file"},
		{pieces, "opening" + strings.Repeat("ing", 3), ""},
		{pieces, "", ""},
		{unigram, "Opening files", "▁open ing ▁file s"},
		{unigram, "open語ing", "▁open ing"},
		{unigram, "ope", "▁op"},
	} {
		m, err := Parse([]byte(c.tokenizer), tensorsOf(t, map[string]tensor{"embeddings": unitRows(7)}))
		if err != nil {
			t.Fatal(err)
		}
		names := map[int]string{}
		for name, n := range m.tokenizer.numbers {
			names[n] = name
		}
		var got []string
		for _, n := range m.tokenizer.parts(c.text) {
			got = append(got, names[n])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		sum := 0.0
		for d, x := range m.Vector(c.text) {
			sum += float64(x) * float64(x)
			if (x > 0) != (strings.Contains(" "+c.want+" ", " "+names[d]+" ")) {
				t.Errorf("%q: %v for %q", c.text, x, names[d])
			}
		}
		if c.want != "" && math.Abs(sum-1) > 1e-5 || c.want == "" && sum != 0 {
			t.Errorf("%q: the vector has the square %v", c.text, sum)
		}
	}
}

// TestParse_weights: a table of fewer rows than parts, in half precision, with weights.
func TestParse_weights(t *testing.T) {
	t.Parallel()
	all := map[string]tensor{
		"embeddings": {"F16", []int{2, 2}, []byte{0, 0x3c, 0, 0, 0, 0, 0, 0xc0}}, // 1 0, 0 -2
		"mapping":    {kind: "I64", shape: []int{7}},
		"weights":    {kind: "F64", shape: []int{7}},
	}
	mapping, weights := all["mapping"], all["weights"]
	for n := range 7 {
		mapping.data = binary.LittleEndian.AppendUint64(mapping.data, uint64(n%2))
		weights.data = binary.LittleEndian.AppendUint64(weights.data, math.Float64bits(float64(n)))
	}
	all["mapping"], all["weights"] = mapping, weights
	dir := t.TempDir()
	for name, data := range map[string][]byte{"tokenizer.json": []byte(pieces), "model.safetensors": tensorsOf(t, all)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := m.Vectors(t.Context(), []string{"opening file"}) // 2·row 0 + (1+3)·row 1 = 2, -8
	if err != nil || fmt.Sprintf("%.3f", vectors[0]) != "[0.243 -0.970]" || m.Dim() != 2 {
		t.Errorf("%v, %v", vectors, err)
	}
}

func TestParse_wrong(t *testing.T) {
	t.Parallel()
	good := tensorsOf(t, map[string]tensor{"embeddings": unitRows(7)})
	for _, c := range []struct {
		tokenizer string
		tensors   []byte
		want      string
	}{
		{"{", good, "tokenizer.json"},
		{`{"model":{"type":"BPE","vocab":{}}}`, good, `"BPE"`},
		{strings.Replace(pieces, "BertPreTokenizer", "ByteLevel", 1), good, `"ByteLevel"`},
		{strings.Replace(pieces, "BertNormalizer", "Nmt", 1), good, `"Nmt"`},
		{strings.Replace(pieces, `"uber":6`, `"uber":-6`, 1), good, "number -6"},
		{pieces, good[:len(good)-1], "broken"},
		{pieces, good[:5], "broken"},
		{pieces, tensorsOf(t, map[string]tensor{"embeddings": unitRows(6)}), "6 vectors for 7 parts"},
		{pieces, tensorsOf(t, map[string]tensor{"other": unitRows(7)}), "no table"},
		{pieces, tensorsOf(t, map[string]tensor{"embeddings": {"I64", []int{7, 0}, nil}}), "no table"},
		{pieces, tensorsOf(t, map[string]tensor{"embeddings": {"Q4", []int{7, 2}, nil}}), `"Q4"`},
	} {
		if m, err := Parse([]byte(c.tokenizer), c.tensors); m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, %v; want %q", c.tokenizer, m, err, c.want)
		}
	}
	if m, err := Open(t.TempDir()); m != nil || err == nil {
		t.Errorf("an empty folder: %v, %v", m, err)
	}
}

func FuzzOpen(f *testing.F) {
	good := tensorsOf(f, map[string]tensor{"embeddings": unitRows(7)})
	f.Add([]byte(pieces), good, "Opening files")
	f.Add([]byte(unigram), good, "open語 ing\xff")
	f.Fuzz(func(t *testing.T, words, tensors []byte, text string) {
		m, err := Parse(words, tensors)
		if err != nil {
			return
		}
		if v := m.Vector(text); len(v) != m.Dim() {
			t.Errorf("%d numbers, want %d", len(v), m.Dim())
		}
	})
}
