package mutant

import (
	"maps"

	"chant/grammars"
)

// role is the meaning of a kind of node.
type role uint8

const (
	skips     role = iota + 1 // is not mutated, with all in it
	decides                   // has a condition
	joins                     // has two operands with an operator between them
	assigns                   // has an operator that may be one of arithmetic, such as +=
	counts                    // has one operand and ++ or --
	calls                     // calls a function
	states                    // is a statement of one expression
	sequences                 // is a list of statements
	returns                   // ends a function
	handles                   // handles an error
	functions                 // has a body
	closures                  // is a function without a name
	arguments                 // is the list of those of a call
	numbers
	booleans
	texts
	throws // raises an error
)

func kindsOf(r role, names ...string) map[string]role {
	all := map[string]role{}
	for _, name := range names {
		all[name] = r
	}
	return all
}

func join(tables ...map[string]role) map[string]role {
	all := map[string]role{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// tableOf returns the roles of a language: most grammars have the same names, and each family adds its own.
func tableOf(l grammars.Language) map[string]role {
	switch l {
	case grammars.Python:
		return join(general(), kindsOf(skips, "decorator"), kindsOf(joins, "boolean_operator", "comparison_operator", "binary_operator"),
			kindsOf(assigns, "augmented_assignment"), kindsOf(calls, "call"), kindsOf(handles, "except_clause"), kindsOf(throws, "raise_statement", "assert_statement"))
	case grammars.Ruby:
		return join(general(), kindsOf(decides, "if", "elsif", "unless", "while", "until", "if_modifier", "unless_modifier", "conditional"),
			kindsOf(joins, "binary"), kindsOf(assigns, "operator_assignment"), kindsOf(calls, "call"), kindsOf(returns, "return"),
			kindsOf(sequences, "then", "else", "do", "body_statement", "block_body", "begin", "ensure"),
			kindsOf(handles, "rescue"), kindsOf(functions, "method", "singleton_method"))
	case grammars.Bash:
		return join(general(), kindsOf(skips, "file_redirect"), kindsOf(joins, "list"), kindsOf(calls, "command"), kindsOf(functions, "function_definition"),
			kindsOf(sequences, "program", "compound_statement", "if_statement", "else_clause", "elif_clause", "do_group", "case_item"))
	case grammars.Swift, grammars.Kotlin:
		return join(general(), kindsOf(sequences, "statements"), kindsOf(returns, "control_transfer_statement", "jump_expression"),
			kindsOf(joins, "additive_expression", "multiplicative_expression", "comparison_expression", "equality_expression",
				"conjunction_expression", "disjunction_expression"),
			kindsOf(skips, "modifiers", "package_header", "import_header"), kindsOf(handles, "catch_block"), kindsOf(functions, "init_declaration", "secondary_constructor"))
	case grammars.Rust:
		return join(general(), kindsOf(skips, "token_tree", "use_declaration", "attribute_item", "inner_attribute_item"), kindsOf(assigns, "compound_assignment_expr"))
	case grammars.C, grammars.CPP:
		return join(general(), kindsOf(skips, "preproc_include", "attribute_declaration", "attribute_specifier"))
	default: // JavaScript, TypeScript, Java, C#, PHP
		return general()
	}
}

// general has the names that most grammars share.
func general() map[string]role {
	return join(
		kindsOf(skips, "comment", "line_comment", "block_comment", "multiline_comment", "import_statement", "import_from_statement", "future_import_statement",
			"import_declaration", "package_declaration", "using_directive", "namespace_use_declaration", "annotation", "marker_annotation",
			"attribute", "attribute_list", "decorator", "type_annotation", "type_arguments", "type_parameters", "literal_type"),
		kindsOf(decides, "if_statement", "if_expression", "elif_clause", "else_if_clause", "while_statement", "while_expression", "do_statement",
			"for_statement", "ternary_expression", "conditional_expression", "guard_statement"),
		kindsOf(joins, "binary_expression"), kindsOf(assigns, "augmented_assignment_expression", "assignment_expression", "assignment"),
		kindsOf(counts, "update_expression", "postfix_unary_expression", "prefix_unary_expression", "postfix_expression"),
		kindsOf(calls, "call_expression", "method_invocation", "invocation_expression", "function_call_expression", "member_call_expression",
			"scoped_call_expression", "nullsafe_member_call_expression", "macro_invocation", "object_creation_expression"),
		kindsOf(states, "expression_statement"), kindsOf(returns, "return_statement", "return_expression"), kindsOf(handles, "catch_clause"),
		kindsOf(functions, "function_declaration", "function_definition", "function_item", "method_declaration", "method_definition",
			"constructor_declaration", "generator_function_declaration", "function_expression", "local_function_statement"),
		kindsOf(closures, "arrow_function", "lambda", "lambda_expression", "lambda_literal", "closure_expression", "anonymous_function"),
		kindsOf(arguments, "arguments", "argument_list", "value_arguments"),
		kindsOf(numbers, "number", "integer", "integer_literal", "decimal_integer_literal", "number_literal", "float", "float_literal",
			"decimal_floating_point_literal", "real_literal"),
		kindsOf(booleans, "true", "false", "boolean", "boolean_literal"),
		kindsOf(texts, "string", "string_literal", "encapsed_string", "line_string_literal"),
		kindsOf(throws, "throw_statement", "throw_expression"))
}
