package io.github.lockboot.aop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedTypesTests {

	private final AnnotatedTypes types = new AnnotatedTypes(List.of(Marked.class));

	@Test
	void hasATypeWithAnAnnotatedMethod() {
		assertThat(this.types.contains(OnMethod.class)).isTrue();
	}

	@Test
	void hasATypeThatIsAnnotatedItself() {
		assertThat(this.types.contains(OnType.class)).isTrue();
	}

	@Test
	void hasATypeWhoseAnnotationIsMadeOfTheAnnotation() {
		assertThat(this.types.contains(ByMeta.class)).isTrue();
	}

	@Test
	void hasASubclassOfAnAnnotatedClass() {
		assertThat(this.types.contains(Subclass.class)).isTrue();
	}

	@Test
	void hasAClassWhoseInterfaceExtendsAnAnnotatedOne() {
		assertThat(this.types.contains(Implementation.class)).isTrue();
	}

	@Test
	void hasASubclassThatNamesTheAnnotatedInterfaceOfAnInheritedMethod() {
		assertThat(this.types.contains(LateImplementation.class)).isTrue();
	}

	@Test
	void hasAProxyOfAnAnnotatedInterface() {
		Class<?> proxy = Proxy
			.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Narrower.class }, (self, method, args) -> 1)
			.getClass();
		assertThat(this.types.contains(proxy)).isTrue();
	}

	@Test
	void hasAProxyOfAnAnnotatedClass() {
		ProxyFactory factory = new ProxyFactory(new OnMethod());
		factory.setProxyTargetClass(true);
		assertThat(this.types.contains(factory.getProxy().getClass())).isTrue();
	}

	@Test
	void hasNoTypeWithOtherAnnotations() {
		assertThat(this.types.contains(Other.class)).isFalse();
	}

	@Test
	void answersTheSameTheSecondTime() {
		assertThat(List.of(this.types.contains(Subclass.class), this.types.contains(Subclass.class),
				this.types.contains(Other.class), this.types.contains(Other.class)))
			.containsExactly(true, true, false, false);
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Marked {

	}

	@Marked
	@Retention(RetentionPolicy.RUNTIME)
	@interface MadeOfMarked {

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

		@MadeOfMarked
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
