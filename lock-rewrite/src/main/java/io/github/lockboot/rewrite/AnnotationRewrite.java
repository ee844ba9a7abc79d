package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.openrewrite.Cursor;
import org.openrewrite.Tree;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.marker.Markers;

/**
 * An annotation that is being written: its attributes as expressions, in their order.
 */
final class AnnotationRewrite {

	private final Map<String, Expression> attributes = new LinkedHashMap<>();

	private boolean skips;

	/**
	 * Return the attributes of an annotation by name; the name of an attribute without a
	 * name is {@code value}.
	 */
	static Map<String, Expression> attributesOf(J.Annotation annotation) {
		Map<String, Expression> attributes = new LinkedHashMap<>();
		List<Expression> arguments = annotation.getArguments();
		if (arguments == null) {
			return attributes;
		}
		for (Expression argument : arguments) {
			if (argument instanceof J.Assignment assignment && assignment.getVariable() instanceof J.Identifier name) {
				attributes.put(name.getSimpleName(), assignment.getAssignment());
			}
			else if (!(argument instanceof J.Empty)) {
				attributes.put("value", argument);
			}
		}
		return attributes;
	}

	AnnotationRewrite with(String attribute, Expression value) {
		this.attributes.put(attribute, value.withPrefix(Space.EMPTY));
		return this;
	}

	AnnotationRewrite with(String attribute, String value) {
		String source = '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
		return with(attribute, new J.Literal(Tree.randomId(), Space.EMPTY, Markers.EMPTY, value, source, null,
				JavaType.Primitive.String));
	}

	/** Let a call whose lock is busy do nothing. */
	void skip() {
		this.skips = true;
	}

	/**
	 * Replace an annotation.
	 * @param old the cursor of the annotation to replace
	 * @param type the name of the type of the new annotation
	 */
	J.Annotation replace(Cursor old, String type) {
		List<String> arguments = new ArrayList<>();
		this.attributes.keySet().forEach((attribute) -> arguments.add(attribute + " = #{any(java.lang.String)}"));
		if (this.skips) {
			arguments.add("onNotAcquired = OnNotAcquired.SKIP");
		}
		String code = '@' + type.substring(type.lastIndexOf('.') + 1)
				+ (arguments.isEmpty() ? "" : '(' + String.join(", ", arguments) + ')');
		J.Annotation annotation = Api.template(code, type, Api.ON_NOT_ACQUIRED)
			.apply(old, old.<J.Annotation>getValue().getCoordinates().replace(), this.attributes.values().toArray());
		// the template puts no space before a value
		return annotation.withArguments(ListUtils.map(annotation.getArguments(),
				(argument) -> (argument instanceof J.Assignment assignment)
						? assignment.withAssignment(assignment.getAssignment().withPrefix(Space.SINGLE_SPACE))
						: argument));
	}

}
