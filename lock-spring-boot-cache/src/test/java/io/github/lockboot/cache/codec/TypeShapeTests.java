package io.github.lockboot.cache.codec;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;

class TypeShapeTests {

	@Test
	void aRenamedClassKeepsItsShape() {
		assertThat(TypeShape.of(Before.class)).isEqualTo(TypeShape.of(Renamed.class));
	}

	@Test
	void anAdditionalFieldChangesIt() {
		assertThat(TypeShape.of(Before.class)).isNotEqualTo(TypeShape.of(More.class));
	}

	@Test
	void anotherTypeOfAFieldChangesIt() {
		assertThat(TypeShape.of(Before.class)).isNotEqualTo(TypeShape.of(Other.class));
	}

	@Test
	void aNestedFieldChangesIt() {
		assertThat(TypeShape.of(new ParameterizedTypeReference<List<Before>>() {
		}.getType())).isNotEqualTo(TypeShape.of(new ParameterizedTypeReference<List<More>>() {
		}.getType()));
	}

	@Test
	void anotherContainerChangesIt() {
		assertThat(TypeShape.of(new ParameterizedTypeReference<List<Before>>() {
		}.getType())).isNotEqualTo(TypeShape.of(new ParameterizedTypeReference<Set<Before>>() {
		}.getType()));
	}

	@Test
	void anotherConstantChangesIt() {
		assertThat(TypeShape.of(Two.class)).isNotEqualTo(TypeShape.of(Three.class));
	}

	@Test
	void aRecursiveTypeHasAShape() {
		assertThat(TypeShape.of(Tree.class)).isEqualTo(TypeShape.of(Tree.class)).isNotZero();
	}

	@Test
	void aTypeWithoutEndHasAShape() {
		assertThat(TypeShape.of(new ParameterizedTypeReference<Growing<String>>() {
		}.getType())).isNotZero();
	}

	record Growing<T>(Growing<List<T>> next) {
	}

	record Before(String name, int count) {
	}

	record Renamed(String name, int count) {
	}

	record More(String name, int count, boolean more) {
	}

	record Other(String name, long count) {
	}

	record Tree(List<Tree> children) {
	}

	enum Two {

		A, B

	}

	enum Three {

		A, B, C

	}

}
