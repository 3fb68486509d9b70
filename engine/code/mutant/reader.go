package mutant

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"chant/grammars"
)

// reader finds the mutants of a file by its tree.
type reader struct {
	*File
	lang       grammars.Language
	nodes      *grammars.Tree
	table      map[string]role
	parameters map[string]string // their types by name, "" if several differ
}

// place is what a node is within.
type place struct {
	quiet    bool // texts are messages of errors
	function int  // the node of the function, 0 if there is none
}

func (r *reader) role(i int) role {
	if !r.nodes.Nodes[i].Named {
		return 0
	}
	return r.table[r.nodes.Kind(i)]
}

func (r *reader) next(i int) int { return int(r.nodes.Nodes[i].Next) }

func (r *reader) bounds(i int) (start, end int) {
	return int(r.nodes.Nodes[i].Start), int(r.nodes.Nodes[i].End)
}

func (r *reader) text(i int) string {
	start, end := r.bounds(i)
	return string(r.src[start:end])
}

func (r *reader) field(i int) string { return r.nodes.Fields[r.nodes.Nodes[i].Field] }

// children returns the children of a node that are not keywords or punctuation.
func (r *reader) children(i int) []int {
	var all []int
	for c := i + 1; c < r.next(i); c = r.next(c) {
		if r.nodes.Nodes[c].Named && r.role(c) != skips {
			all = append(all, c)
		}
	}
	return all
}

// child returns the first child of a node that is one of some fields or kinds, or -1.
func (r *reader) child(i int, names ...string) int {
	for _, name := range names {
		for c := i + 1; c < r.next(i); c = r.next(c) {
			if r.field(c) == name || r.nodes.Nodes[c].Named && r.nodes.Kind(c) == name {
				return c
			}
		}
	}
	return -1
}

// visit adds the mutants of a node and of all within it.
func (r *reader) visit(i int, at place) {
	switch r.role(i) {
	case skips:
		return
	case decides:
		r.addNegation(i)
	case joins:
		r.addOperator(i)
	case assigns:
		r.addAssignment(i)
	case counts:
		r.addCount(i)
	case calls:
		if r.isResult(i, at) {
			break
		}
		if r.isUninteresting(i) || r.lang == grammars.Bash && r.addCommand(i) {
			return
		}
		at.quiet = at.quiet || fails().MatchString(r.text(i))
	case states:
		if r.isUninteresting(i) || r.addStatement(i) {
			return
		}
	case sequences:
		for _, c := range r.children(i) {
			if r.role(c) == calls && r.field(c) != "condition" {
				r.addRemoval(c)
			}
		}
	case returns:
		at.quiet = at.quiet || strings.HasPrefix(r.text(i), "throw")
		r.addReturn(i, at)
	case handles:
		r.addHandling(i)
	case functions:
		at.function = i
		r.addEmptyBody(i)
	case closures:
		at.function = 0
	case arguments:
		r.addSwap(i)
	case numbers:
		if kind, other := otherNumber(r.text(i)); other != "" {
			r.replace(kind, i, other)
		}
	case booleans:
		if other := otherBool(r.text(i)); other != "" {
			r.replace(ChangeConstant, i, other)
		}
		return
	case texts:
		if empty := emptyString(r.text(i)); empty != "" && !at.quiet && r.field(i) != "key" {
			r.replace(ChangeConstant, i, empty)
		}
		return
	case throws:
		at.quiet = true
	}
	isTest, first := false, 0
	for c := i + 1; c < r.next(i); c = r.next(c) {
		// Tests of Rust are in the file of the code, behind an attribute, and comments may be between the two.
		switch kind := r.nodes.Kind(c); {
		case kind == "attribute_item":
			if !isTest && testAttribute().MatchString(r.text(c)) {
				isTest, first = true, r.line(int(r.nodes.Nodes[c].Start))
			}
		case isTest && r.nodes.Nodes[c].Named && !strings.Contains(kind, "comment"):
			r.tests = append(r.tests, Range{first, r.line(int(r.nodes.Nodes[c].End))})
			isTest = false
		default:
			r.visit(c, at)
		}
	}
}

func (r *reader) replace(kind Kind, i int, text string) {
	start, end := r.bounds(i)
	r.add(kind, start, end, text)
}

// isUninteresting reports whether a call or statement logs or imports something.
func (r *reader) isUninteresting(i int) bool {
	text := r.text(i)
	return logs().MatchString(text) || loads().MatchString(text)
}

// isResult reports whether a command of a shell prints a number in a function, which is how functions of shells return one.
func (r *reader) isResult(i int, at place) bool {
	_, end := r.bounds(i)
	redirected := bytes.HasPrefix(bytes.TrimLeft(r.src[end:], " "), []byte(">"))
	return r.lang == grammars.Bash && at.function != 0 && !redirected && result().MatchString(r.text(i))
}

// condition returns the condition of a node, without parentheses, or -1.
func (r *reader) condition(i int) int {
	c := r.child(i, "condition")
	if all := r.children(i); c < 0 && len(all) > 1 {
		switch r.nodes.Kind(i) {
		case "if_expression", "while_statement":
			c = all[0]
		case "conditional_expression": // of Python: the condition is in the middle
			c = all[1]
		}
	}
	for c >= 0 && slices.Contains([]string{"parenthesized_expression", "condition_clause"}, r.nodes.Kind(c)) {
		all := r.children(c)
		if len(all) != 1 {
			return -1
		}
		c = all[0]
	}
	return c
}

// addNegation adds the opposite of a condition.
func (r *reader) addNegation(i int) {
	c := r.condition(i)
	if c < 0 || r.role(c) == booleans {
		return
	}
	// A condition that declares something cannot be negated.
	if kind := r.nodes.Kind(c); strings.Contains(kind, "let_") || strings.Contains(kind, "pattern") || strings.Contains(kind, "declar") {
		return
	}
	if other := r.negated(c); other != "" {
		r.replace(NegateCondition, c, other)
	}
}

// negated returns the opposite of an expression, "" for a comparison whose other operator says the same.
func (r *reader) negated(i int) string {
	if op, _, _ := r.operatorOf(i); r.role(i) == joins && isEquality(op) {
		return ""
	}
	switch r.nodes.Kind(i) {
	case "unary_expression", "prefix_unary_expression", "unary_op_expression", "unary", "prefix_expression", "not_operator", "negated_command":
		all, text := r.children(i), r.text(i)
		// The grammar of Kotlin reads "!a && b" as the opposite of both.
		if len(all) == 1 && r.role(all[0]) != joins && (strings.HasPrefix(text, "!") || strings.HasPrefix(text, "not ")) {
			return r.text(all[0])
		}
	}
	return r.not(i)
}

func (r *reader) not(i int) string {
	switch r.lang {
	case grammars.Python:
		return "not (" + r.text(i) + ")"
	case grammars.Bash:
		return "! { " + r.text(i) + "; }"
	default:
		return "!(" + r.text(i) + ")"
	}
}

// operatorOf returns the operator between the two operands of a node and its bytes, "" if it has not two.
func (r *reader) operatorOf(i int) (op string, start, end int) {
	operands := slices.DeleteFunc(r.children(i), func(c int) bool { return r.field(c) == "operator" })
	if len(operands) != 2 {
		return "", 0, 0
	}
	_, from := r.bounds(operands[0])
	to, _ := r.bounds(operands[1])
	gap := string(r.src[from:to])
	op = strings.TrimSpace(gap)
	start = from + strings.Index(gap, op)
	return op, start, start + len(op)
}

// addOperator adds another operator between two operands.
func (r *reader) addOperator(i int) {
	op, start, end := r.operatorOf(i)
	if op == "" {
		return
	}
	// These words are operators of Python, and parts of other things elsewhere.
	if wordy := strings.HasPrefix(op, "i") || strings.HasPrefix(op, "not"); wordy && r.lang != grammars.Python || op == "=" && r.lang != grammars.Bash {
		return
	}
	if other := comparisons()[op]; other != "" {
		r.add(ChangeComparison, start, end, other)
	}
	_, last := r.bounds(i)
	if _, err := strconv.Atoi(strings.TrimSpace(string(r.src[end:last]))); err == nil && atLeast()[op] != "" {
		r.add(ChangeComparison, start, end, atLeast()[op])
	}
	if other := operators()[op]; other != "" && (strings.Contains("&&||andor", op) || !strings.ContainsAny(r.text(i), "\"'`")) {
		r.add(SwapOperator, start, end, other)
	}
}

// addAssignment adds another operator to an assignment that calculates.
func (r *reader) addAssignment(i int) {
	op, start, end := r.operatorOf(i)
	if other := operators()[op]; len(op) == 2 && other != "" && !strings.ContainsAny(r.text(i), "\"'`") {
		r.add(SwapOperator, start, end, other)
	}
}

// addCount turns ++ into -- and the other way round.
func (r *reader) addCount(i int) {
	start, end := r.bounds(i)
	text := r.text(i)
	switch {
	case strings.HasPrefix(text, "++"), strings.HasPrefix(text, "--"):
		r.add(SwapOperator, start, start+2, operators()[text[:2]])
	case strings.HasSuffix(text, "++"), strings.HasSuffix(text, "--"):
		r.add(SwapOperator, end-2, end, operators()[text[len(text)-2:]])
	}
}

// addStatement removes a statement that is a call, and reports whether it is one that is not read any further.
func (r *reader) addStatement(i int) bool {
	all := r.children(i)
	if len(all) != 1 {
		return false
	}
	c := all[0]
	if inner := r.children(c); len(inner) == 1 && strings.HasPrefix(r.nodes.Kind(c), "await") {
		c = inner[0]
	}
	if r.role(c) == calls {
		r.addRemoval(i)
	}
	// A string alone is documentation, or a directive.
	return r.role(c) == texts
}

// addRemoval removes a call.
func (r *reader) addRemoval(i int) {
	text := r.text(i)
	// Without the call of another constructor, an object is not one.
	if r.isUninteresting(i) || strings.HasPrefix(text, "super") || strings.HasPrefix(text, "this(") {
		return
	}
	switch r.lang {
	case grammars.Python:
		r.replace(RemoveCall, i, "pass")
	case grammars.Ruby:
		r.replace(RemoveCall, i, "nil")
	case grammars.Kotlin:
		r.replace(RemoveCall, i, "Unit")
	case grammars.Swift:
		r.replace(RemoveCall, i, "")
	case grammars.Bash:
		if !slices.Contains(keptCommands, firstWord(text)) {
			r.replace(RemoveCall, i, ":")
		}
	default:
		r.replace(RemoveCall, i, ";")
	}
}

// keptCommands are those of a shell that are not removed.
var keptCommands = []string{"return", "exit", "local", "set", "export", "declare", "readonly", "shift", "true", "false", ":", "[", "[[", "test"}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// addCommand adds another exit code to a command of a shell that ends something, and reports whether it is one.
func (r *reader) addCommand(i int) bool {
	if word := firstWord(r.text(i)); word != "return" && word != "exit" {
		return false
	}
	if all := r.children(i); len(all) == 2 && r.role(all[1]) == numbers {
		code := "0"
		if r.text(all[1]) == "0" {
			code = "1"
		}
		r.replace(ChangeReturn, all[1], code)
	}
	return true
}

// addReturn adds another result.
func (r *reader) addReturn(i int, at place) {
	all := r.children(i)
	if !strings.HasPrefix(r.text(i), "return") || len(all) == 0 {
		return
	}
	value := all[len(all)-1]
	if inner := r.children(value); r.role(value) == arguments && len(inner) == 1 {
		value = inner[0]
	}
	switch role, op := r.role(value), ""; {
	// A literal is changed as one.
	case role == numbers, role == booleans, role == texts:
		return
	case role == joins:
		op, _, _ = r.operatorOf(value)
		fallthrough
	default:
		isCondition := comparisons()[op] != "" || strings.Contains("&&||andor", op) && op != "" || strings.HasPrefix(r.text(value), "!") || strings.HasPrefix(r.text(value), "not ")
		other := zeroOf(r.lang, r.resultOf(at.function))
		if isCondition {
			other = r.negated(value)
		}
		if other != "" && !slices.Contains(nothings, r.text(value)) {
			r.replace(ChangeReturn, value, other)
		}
	}
}

// nothings are results that stand for none.
var nothings = []string{"null", "nil", "None", "undefined", "nullptr", "NULL", "[]", "{}"}

// addHandling empties the handling of an error.
func (r *reader) addHandling(i int) {
	body := r.child(i, "body", "block", "statements")
	if body < 0 || isEmptyBody(r.text(body)) || logs().MatchString(strings.TrimLeft(r.text(body), "{ \t\r\n")) {
		return
	}
	r.replace(RemoveErrorHandling, body, r.emptied(body))
}

// addEmptyBody empties a function that returns nothing.
func (r *reader) addEmptyBody(i int) {
	body := r.child(i, "body", "function_body")
	if body < 0 || isEmptyBody(r.text(body)) || strings.HasPrefix(r.text(body), "=") {
		return
	}
	if t := r.resultOf(i); t != "" && t != "void" && t != "Unit" && t != "None" && r.lang != grammars.Python {
		return
	}
	r.replace(EmptyBody, body, r.emptied(body))
}

func isEmptyBody(text string) bool {
	return slices.Contains([]string{"", "pass", "...", "nil"}, strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "{}")))
}

// emptied returns a body in which nothing happens.
func (r *reader) emptied(body int) string {
	switch {
	case r.lang == grammars.Python:
		return "pass"
	case r.lang == grammars.Ruby && r.nodes.Kind(body) == "then":
		// It begins with the end of the line before.
		return "\nnil\n"
	case r.lang == grammars.Ruby:
		return "nil"
	case r.lang == grammars.Bash:
		return "{ :; }"
	case strings.HasPrefix(r.text(body), "{"):
		return "{}"
	default:
		return ""
	}
}

// addSwap swaps the first two adjacent arguments that are names.
func (r *reader) addSwap(i int) {
	all := r.children(i)
	for n, c := range all {
		if inner := r.children(c); len(inner) == 1 && strings.HasSuffix(r.nodes.Kind(c), "argument") {
			all[n] = inner[0]
		}
	}
	for n := 0; n+1 < len(all); n++ {
		a, b := all[n], all[n+1]
		if !r.isName(a) || !r.isName(b) || r.text(a) == r.text(b) || !r.mayReplace(a, b) {
			continue
		}
		start, from := r.bounds(a)
		to, end := r.bounds(b)
		r.add(SwapArguments, start, end, r.text(b)+string(r.src[from:to])+r.text(a))
		return
	}
}

func (r *reader) isName(i int) bool {
	return slices.Contains([]string{"identifier", "simple_identifier", "variable_name"}, r.nodes.Kind(i))
}

// mayReplace reports whether a name may be where another one is: in languages with static types, both are parameters of
// one type.
func (r *reader) mayReplace(a, b int) bool {
	switch r.lang {
	case grammars.Python, grammars.JavaScript, grammars.Ruby, grammars.PHP:
		return true
	}
	of := r.parameters[r.text(a)]
	return of != "" && of == r.parameters[r.text(b)]
}

// readParameters reads the types of the parameters of all functions.
func (r *reader) readParameters() {
	r.parameters = map[string]string{}
	for i := range r.nodes.Nodes {
		switch r.nodes.Kind(i) {
		case "parameter", "formal_parameter", "parameter_declaration", "required_parameter":
			name, of := r.child(i, "pattern", "declarator", "name", "simple_identifier"), r.child(i, "type", "user_type")
			if name < 0 || of < 0 {
				continue
			}
			if known, ok := r.parameters[r.text(name)]; ok && known != r.text(of) {
				r.parameters[r.text(name)] = ""
			} else {
				r.parameters[r.text(name)] = r.text(of)
			}
		}
	}
}
