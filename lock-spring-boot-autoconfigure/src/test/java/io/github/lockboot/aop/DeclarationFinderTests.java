package io.github.lockboot.aop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

class DeclarationFinderTests {

	private final DeclarationFinder<String> finder = new DeclarationFinder<>(List.of(Marked.class.getName()),
			(annotations, method) -> annotations.isPresent(Marked.class) ? "found" : null);

	@Test
	void typeWithAnAnnotatedMethodIsACandidate() {
		assertThat(this.finder.isCandidate(OnMethod.class)).isTrue();
	}

	@Test
	void typeThatIsAnnotatedItselfIsACandidate() {
		assertThat(this.finder.isCandidate(OnType.class)).isTrue();
	}

	@Test
	void typeWithAComposedAnnotationIsACandidate() {
		assertThat(this.finder.isCandidate(ByMeta.class)).isTrue();
	}

	@Test
	void subclassOfAnAnnotatedClassIsACandidate() {
		assertThat(this.finder.isCandidate(Subclass.class)).isTrue();
	}

	@Test
	void classWhoseInterfaceExtendsAnAnnotatedOneIsACandidate() {
		assertThat(this.finder.isCandidate(Implementation.class)).isTrue();
	}

	@Test
	void subclassThatImplementsTheAnnotatedInterfaceByAnInheritedMethodIsACandidate() {
		assertThat(this.finder.isCandidate(LateImplementation.class)).isTrue();
	}

	@Test
	void proxyOfAnAnnotatedInterfaceIsACandidate() {
		Class<?> proxy = Proxy
			.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Narrower.class }, (self, method, args) -> 1)
			.getClass();
		assertThat(this.finder.isCandidate(proxy)).isTrue();
	}

	@Test
	void proxyOfAnAnnotatedClassIsACandidate() {
		ProxyFactory factory = new ProxyFactory(new OnMethod());
		factory.setProxyTargetClass(true);
		assertThat(this.finder.isCandidate(factory.getProxy().getClass())).isTrue();
	}

	@Test
	void typeWithOtherAnnotationsIsNoCandidate() {
		assertThat(this.finder.isCandidate(Other.class)).isFalse();
	}

	@Test
	void secondSearchHasTheSameResult() {
		assertThat(List.of(this.finder.isCandidate(Subclass.class), this.finder.isCandidate(Subclass.class),
				this.finder.isCandidate(Other.class), this.finder.isCandidate(Other.class)))
			.containsExactly(true, true, false, false);
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Marked {

	}

	@Marked
	@Retention(RetentionPolicy.RUNTIME)
	@interface ComposedOfMarked {

	}

	static class OnMethod {

		@Marked
		void work() {
		}

	}

	@Marked
	static class OnType {

	}

	static class ByMeta {

		@ComposedOfMarked
		void work() {
		}

	}

	static class Subclass extends OnMethod {

	}

	interface OnInterface {

		@Marked
		int work();

	}

	interface Narrower extends OnInterface {

	}

	static class Implementation implements Narrower {

		@Override
		public int work() {
			return 1;
		}

	}

	static class Unaware {

		public int work() {
			return 1;
		}

	}

	static class LateImplementation extends Unaware implements OnInterface {

	}

	static class Other implements Supplier<String> {

		@Override
		@Deprecated
		public String get() {
			return "";
		}

	}

}
