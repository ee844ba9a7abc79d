package io.github.lockboot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import org.jspecify.annotations.Nullable;

/**
 * The lines of methods and the mutable fields of types in source files, nested types
 * included.
 */
final class SourceCounts {

	private final Map<String, Integer> linesOfMethods = new TreeMap<>();

	private final Map<String, Integer> mutableFields = new TreeMap<>();

	SourceCounts(List<Path> files) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
			JavacTask parser = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
					manager.getJavaFileObjectsFromPaths(files));
			SourcePositions positions = Trees.instance(parser).getSourcePositions();
			parser.parse().forEach((unit) -> new Counter(unit, positions).scan(unit, ""));
		}
	}

	/** Return the methods, as {@code Type.method}, whose bodies have more lines. */
	Set<String> methodsLongerThan(int lines) {
		return above(this.linesOfMethods, lines);
	}

	/** Return the types that have more fields that are neither final nor static. */
	Set<String> typesWithMoreMutableFieldsThan(int fields) {
		return above(this.mutableFields, fields);
	}

	private static Set<String> above(Map<String, Integer> counts, int limit) {
		return counts.entrySet()
			.stream()
			.filter((count) -> count.getValue() > limit)
			.map(Map.Entry::getKey)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private final class Counter extends TreeScanner<@Nullable Void, String> {

		private final CompilationUnitTree unit;

		private final SourcePositions positions;

		Counter(CompilationUnitTree unit, SourcePositions positions) {
			this.unit = unit;
			this.positions = positions;
		}

		@Override
		public @Nullable Void visitClass(ClassTree type, String outer) {
			String name = outer.isEmpty() ? type.getSimpleName().toString() : outer + "." + type.getSimpleName();
			int fields = (int) type.getMembers().stream().filter(Counter::isMutable).count();
			if (type.getKind() != Tree.Kind.INTERFACE && type.getKind() != Tree.Kind.ANNOTATION_TYPE) {
				SourceCounts.this.mutableFields.merge(name, fields, Math::max);
			}
			return super.visitClass(type, name);
		}

		private static boolean isMutable(Tree member) {
			return member instanceof VariableTree field && !field.getModifiers().getFlags().contains(Modifier.FINAL)
					&& !field.getModifiers().getFlags().contains(Modifier.STATIC);
		}

		@Override
		public @Nullable Void visitMethod(MethodTree method, String type) {
			BlockTree body = method.getBody();
			if (body != null) {
				long lines = 1 + line(this.positions.getEndPosition(this.unit, body))
						- line(this.positions.getStartPosition(this.unit, body));
				SourceCounts.this.linesOfMethods.merge(type + "." + method.getName(), (int) lines, Math::max);
			}
			return super.visitMethod(method, type);
		}

		private long line(long position) {
			return this.unit.getLineMap().getLineNumber(position);
		}

	}

}
