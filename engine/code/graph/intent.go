package graph

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Asked is what a question asks for.
type Asked int

// What questions ask for.
const (
	Anything     Asked = iota // what is connected
	Callers                   // what calls it
	Users                     // what uses it in any way
	Callees                   // what it calls
	Implementers              // what implements or extends it
	Reaches                   // how one thing reaches another
)

// Intent is what a question asks for, and about which names.
type Intent struct {
	Kind  Asked
	Names []string // as the question has them, in its order
}

// pattern is a wording of questions for something.
type pattern struct {
	kind Asked
	text *regexp.Regexp
}

// patterns are tried in order.
var patterns = sync.OnceValue(func() []pattern {
	return []pattern{
		{Reaches, regexp.MustCompile(`(?i)\bhow (?:does|do|can|is)\b.+\b(?:reach|get to|lead to|end up in|arrive at|connected to)\b|\b(?:path|way|chain) from\b.+\bto\b`)},
		{Implementers, regexp.MustCompile(`(?i)\b(?:implement(?:s|ers?|ations?|ing|ed)?|conform(?:s|ing)?(?: to)?|conformances?|subclass(?:es)?|subtypes?|extends?|derived from|inherits?)\b`)},
		{Callees, regexp.MustCompile(`(?i)\bwhat (?:does|do|is)\b.+\b(?:call|calls|called by|invoke|run)\b|\bcallees?\b|\bcalled by\b|\bcalls made by\b`)},
		{Callers, regexp.MustCompile(`(?i)\b(?:what|who|which|where)\b.*\b(?:calls?|called|invokes?|invoked|runs)\b|\bcallers?\b|\bcall sites?\b|\bcalls to\b`)},
		{Users, regexp.MustCompile(`(?i)\b(?:what|who|which|where)\b.*\b(?:uses?|used|references?|referenced|depends? on)\b|\busages?\b|\busers? of\b|\breferences to\b`)},
	}
})

// word matches what may be a name: an identifier, perhaps qualified or with brackets behind it, perhaps quoted.
var word = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[`'\"]?[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::|#)[\\pL_$][\\pL\\pN_$]*)*(?:\\(\\))?[`'\"]?")
})

// ReadIntent reads a question. isDefined reports whether a name is one of a definition. A plain word of the language, such
// as "call", counts as a name only if it is quoted or has brackets behind it, or if no other name is in the question.
func ReadIntent(question string, isDefined func(name string) bool) Intent {
	intent := Intent{}
	var plain []string
	rest := question
	for _, found := range word().FindAllString(question, -1) {
		name := strings.TrimSuffix(strings.Trim(found, "`'\""), "()")
		if !isDefined(name) || slices.Contains(intent.Names, name) {
			continue
		}
		// Quotes and brackets mark a name even if it is a plain word.
		if name != found || isIdentifier(name) {
			intent.Names = append(intent.Names, name)
			// The name is replaced, since its words could look like those of an intent.
			rest = strings.ReplaceAll(rest, found, "it")
		} else if !common()[strings.ToLower(name)] {
			plain = append(plain, name)
		}
	}
	for _, p := range patterns() {
		if p.text.MatchString(rest) {
			intent.Kind = p.kind
			break
		}
	}
	// A plain word counts as a name only if the question cannot be about anything else.
	if len(intent.Names) == 0 && intent.Kind != Anything || intent.Kind == Reaches && len(intent.Names) < 2 {
		intent.Names = append(intent.Names, plain...)
	}
	if len(intent.Names) == 0 || intent.Kind == Reaches && len(intent.Names) < 2 {
		intent.Kind = Anything
	}
	return intent
}

// isIdentifier reports whether a name is not just a word: it has a capital, a digit or a joiner inside, or begins with
// a capital.
func isIdentifier(name string) bool {
	return strings.ContainsAny(name, "_.:#$0123456789") || strings.ToLower(name) != name && !common()[strings.ToLower(name)]
}

// common are words of questions.
var common = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields("what who which where how why when does do is are can all the a an of to from in on by and or it its this that " +
		"call calls called caller callers use uses used implement implements implementation implementations reach reaches get path way chain show find list " +
		"type types class classes function functions method methods interface interfaces protocol protocols code for with work works") {
		set[w] = true
	}
	return set
})
