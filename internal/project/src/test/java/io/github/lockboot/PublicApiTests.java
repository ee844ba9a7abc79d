package io.github.lockboot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users of a module may refer to, as far as a compiled program depends on it: public
 * and protected types and members, without packages that the published Javadoc leaves out
 * and without what is marked as internal. The list {@code public-api.txt} of the module
 * has a line for each.
 */
class PublicApiTests {

	private static final Set<String> OF_OBJECTS = Set.of("equals", "hashCode", "toString");

	/** Writes the list instead if the system property is set. */
	@ParameterizedTest
	@ValueSource(strings = { "lock-core", "lock-redis", "lock-spring", "lock-spring-boot-autoconfigure",
			"lock-spring-boot-cache", "lock-spring-boot-jdbc", "lock-spring-boot-kotlin",
			"lock-spring-boot-starter-test", "lock-spring-boot-zookeeper" })
	void publicApiIsThatOfTheList(String module) throws IOException {
		Path list = Path.of("../..", module, "public-api.txt");
		String api = (String.join("\n", lines(list.resolveSibling("target/classes"))) + "\n")
			.replaceAll("java\\.lang\\.(?=[A-Z])", "");
		if (Boolean.getBoolean("lockboot.api.write")) {
			Files.writeString(list, api);
		}
		assertThat(api)
			.as("The public API. If a change of it is wanted, write its list anew with -Dlockboot.api.write=true, and"
					+ " tell of it in CHANGELOG.md")
			.isEqualTo(Files.readString(list));
	}

	private static List<String> lines(Path classes) throws IOException {
		Pattern hidden = hidden();
		TreeMap<String, JavaClass> types = new TreeMap<>();
		new ClassFileImporter().importPath(classes)
			.stream()
			.filter((type) -> !hidden.matcher(type.getName().replace('.', '/') + ".class").find())
			.filter((type) -> isVisible(type) && type.getEnclosingClass().map(PublicApiTests::isVisible).orElse(true))
			.forEach((type) -> types.put(type.getName().replace('.', '/'), type));
		List<String> lines = new ArrayList<>();
		types.values().forEach((type) -> {
			lines.add(header(type));
			Stream
				.of(type.getFields()
					.stream()
					.filter((field) -> isVisible(field.getModifiers()))
					.map(PublicApiTests::text),
						type.getCodeUnits().stream().filter(PublicApiTests::isVisible).map(PublicApiTests::text))
				.flatMap((members) -> members)
				.distinct()
				.sorted()
				.forEach((member) -> lines.add("\t" + member));
		});
		return lines;
	}

	/** The packages that the published Javadoc leaves out. */
	private static Pattern hidden() throws IOException {
		Matcher excludes = Pattern.compile("excludes=\"([^\"]+)\"").matcher(Files.readString(Path.of("../../pom.xml")));
		assertThat(excludes.find()).isTrue();
		return Pattern.compile(Stream.of(excludes.group(1).split(","))
			.map((path) -> path.replace("**", ""))
			.collect(Collectors.joining("|")));
	}

	private static boolean isVisible(JavaClass type) {
		return isVisible(type.getModifiers()) && !type.isAnnotatedWith(Internal.class);
	}

	private static boolean isVisible(JavaCodeUnit method) {
		return isVisible(method.getModifiers()) && !method.isAnnotatedWith(Internal.class)
				&& !OF_OBJECTS.contains(method.getName());
	}

	private static boolean isVisible(Set<JavaModifier> modifiers) {
		return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
				&& !modifiers.contains(JavaModifier.SYNTHETIC);
	}

	private static String header(JavaClass type) {
		String supertypes = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
			.map(JavaClass::getName)
			.filter((supertype) -> !supertype.equals("java.lang.Object"))
			.collect(Collectors.joining(", "));
		Set<JavaModifier> modifiers = type.getModifiers();
		boolean nested = type.getEnclosingClass().isPresent(); // ArchUnit's records are
																// all static
		return ((nested && modifiers.contains(JavaModifier.STATIC)) ? "static " : "")
				+ (modifiers.contains(JavaModifier.ABSTRACT) ? "abstract " : "")
				+ (modifiers.contains(JavaModifier.FINAL) ? "final " : "") + (type.isInterface() ? "interface " : "")
				+ type.getName() + (supertypes.isEmpty() ? "" : " : " + supertypes);
	}

	private static String text(JavaField field) {
		return modifiers(field.getModifiers()) + name(field.getRawType()) + " " + field.getName();
	}

	private static String text(JavaCodeUnit method) {
		String parameters = method.getRawParameterTypes()
			.stream()
			.map(PublicApiTests::name)
			.collect(Collectors.joining(", ", "(", ")"));
		String thrown = method.getExceptionTypes().stream().map(JavaClass::getName).collect(Collectors.joining(", "));
		boolean optional = method instanceof JavaMethod attribute && attribute.getDefaultValue().isPresent();
		return modifiers(method.getModifiers())
				+ ((method instanceof JavaConstructor) ? "new"
						: name(method.getRawReturnType()) + " " + method.getName())
				+ parameters + (thrown.isEmpty() ? "" : " throws " + thrown) + (optional ? " default" : "");
	}

	private static String modifiers(Set<JavaModifier> modifiers) {
		return (modifiers.contains(JavaModifier.PROTECTED) ? "protected " : "")
				+ (modifiers.contains(JavaModifier.ABSTRACT) ? "abstract " : "")
				+ (modifiers.contains(JavaModifier.STATIC) ? "static " : "")
				+ (modifiers.contains(JavaModifier.FINAL) ? "final " : "");
	}

	private static String name(JavaClass type) {
		return type.isArray() ? name(type.getComponentType()) + "[]" : type.getName();
	}

}
